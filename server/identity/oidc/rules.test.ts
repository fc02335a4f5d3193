import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type ClaimMapping, claimMapping } from '#contract/endpoints/company.ts'
import { listOmittedClaims, parsePersonClaims, type TokenClaims } from './rules.ts'

const mappingOf = (mapping: object): ClaimMapping =>
  v.parse(claimMapping, { personnelNumber: 'employee_number', ...mapping })

/** An ID token as Keycloak writes it with its default client scopes, an attribute mapper and the roles in the ID token. */
const KEYCLOAK: TokenClaims = {
  iss: 'https://login.example.com/realms/firma',
  sub: 'f:1:ada',
  aud: 'portal',
  azp: 'portal',
  typ: 'ID',
  email_verified: true,
  email: 'ada@firma.example',
  preferred_username: 'ada',
  name: 'Ada Beispiel',
  given_name: 'Ada',
  family_name: 'Beispiel',
  employee_number: '00417',
  groups: ['/Werke/Guss', '/Sport'],
  realm_access: { roles: ['default-roles-firma', 'sport-desk', 'uma_authorization'] },
  resource_access: { portal: { roles: ['programme-editor'] }, account: { roles: ['manage-account'] } },
}
const rights = (claim: string | string[], values: Record<string, string[]>) => ({ rights: { claim, values } })

test.each<[string, object, TokenClaims, object | null]>([
  [
    'standard claims',
    {},
    KEYCLOAK,
    { personnelNumber: '00417', givenName: 'Ada', email: 'ada@firma.example', rights: null },
  ],
  ['a numeric personnel number', {}, { ...KEYCLOAK, employee_number: 417 }, { personnelNumber: '417' }],
  [
    'an attribute that is a list',
    { personnelNumber: ['attributes', 'number'] },
    { attributes: { number: 'x' } },
    { personnelNumber: 'x' },
  ],
  ['no number', {}, { ...KEYCLOAK, employee_number: ' ' }, null],
  ['a number that is too long', {}, { ...KEYCLOAK, employee_number: '1'.repeat(51) }, null],
  ['an unverified e-mail address', {}, { ...KEYCLOAK, email_verified: false }, { email: '' }],
  ['… with the flag as text', {}, { ...KEYCLOAK, email_verified: 'true' }, { email: '' }],
  [
    '… but issued by the company',
    { isEmailTrusted: true },
    { ...KEYCLOAK, email_verified: false },
    { email: 'ada@firma.example' },
  ],
  ['a name with line breaks', {}, { ...KEYCLOAK, given_name: 'Ada\r\nBcc: x' }, { givenName: '' }],
  ['a group as division', { division: { claim: 'groups', values: { '/Werke/Guss': 7 } } }, KEYCLOAK, { divisionId: 7 }],
  [
    'a division that is not in the mapping',
    { division: { claim: 'groups', values: { '/Werke/Bad': 7 } } },
    KEYCLOAK,
    { divisionId: undefined },
  ],
  [
    'realm roles',
    rights('realm_access.roles', { 'sport-desk': ['programme', 'bookings'] }),
    KEYCLOAK,
    { rights: ['programme', 'bookings'] },
  ],
  [
    'client roles',
    rights('resource_access.portal.roles', { 'programme-editor': ['programme'] }),
    KEYCLOAK,
    { rights: ['programme'] },
  ],
  [
    'names of portal rights grant no rights',
    rights('groups', { '/Sport': ['content'] }),
    { ...KEYCLOAK, groups: ['owner', 'record', '/Sport'] },
    { rights: ['content'] },
  ],
  [
    'names of properties of every object',
    rights('groups', {}),
    {
      ...KEYCLOAK,
      groups: ['function Object() { [native code] }', '[object Object]', 'function toString() { [native code] }'],
    },
    { rights: [] },
  ],
  [
    'a claim with a dot and a URL',
    rights('https://firma.example/groups', { a: ['record'] }),
    { ...KEYCLOAK, 'https://firma.example/groups': 'a' },
    { rights: ['record'] },
  ],
  [
    'apprentices',
    { employeeStatus: { claim: 'kind', values: { azubi: 7 } } },
    { ...KEYCLOAK, kind: 'azubi' },
    { employeeStatus: 7 },
  ],
  ['an allowed group', { allowed: { claim: 'groups', values: ['/Sport'] } }, KEYCLOAK, { personnelNumber: '00417' }],
  ['a group that is not allowed', { allowed: { claim: 'groups', values: ['/Vorstand'] } }, KEYCLOAK, null],
])('%s', (_, mapping, claims, person) => {
  const read = parsePersonClaims(claims, mappingOf(mapping))
  if (person === null) expect(read).toBeNull()
  else expect(read).toMatchObject(person)
})

/** An ID token as Entra ID writes it, for a person of more than 200 groups. */
const ENTRA: TokenClaims = {
  aud: '6cb04018-a3f5-46a7-b995-940c78f5aef3',
  iss: 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
  tid: '72f988bf-86f1-41af-91ab-2d7cd011db47',
  oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
  sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
  ver: '2.0',
  preferred_username: 'ada@firma.example',
  name: 'Ada Beispiel',
  given_name: 'Ada',
  family_name: 'Beispiel',
  email: 'ada@firma.example',
  employee_number: '00417',
  roles: ['Sport.Desk'],
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'https://graph.windows.net/x/users/y/getMemberObjects' } },
}
const GROUP = '0760b6cf-170e-4a14-91b3-4b78e0739963'

test('groups omitted by Entra ID are treated as none and reported; app roles are read from the token', () => {
  const byGroup = mappingOf({ ...rights('groups', { [GROUP]: ['programme'] }), isEmailTrusted: true })
  expect(parsePersonClaims(ENTRA, byGroup)).toMatchObject({ rights: [], email: 'ada@firma.example' })
  expect(listOmittedClaims(ENTRA, byGroup)).toEqual(['groups'])
  const allowed = mappingOf({ allowed: { claim: 'groups', values: [GROUP] } })
  expect(parsePersonClaims(ENTRA, allowed)).toBeNull()
  expect(listOmittedClaims(ENTRA, allowed)).toEqual(['groups'])
  const byRole = mappingOf(rights('roles', { 'Sport.Desk': ['programme'] }))
  expect(parsePersonClaims(ENTRA, byRole)).toMatchObject({ rights: ['programme'] })
  expect(listOmittedClaims(ENTRA, byRole)).toEqual([])
  expect(listOmittedClaims(KEYCLOAK, byGroup)).toEqual([])
})
