import { ENTERPRISE_SCHEMA, SCIM_USER_TYPES, USER_SCHEMA } from './scim-rules.ts'
import { MAX_SCIM_RESULTS } from './scim-service.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

export const describeScimService = (publicUrl: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: `${publicUrl}/api/docs`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_SCIM_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Service token',
      description: 'Service token with the scope `people`, created by an owner in the office UI',
      primary: true,
    },
  ],
})

export const SCIM_USER_RESOURCE_TYPE = {
  schemas: [`${CORE}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'Member of the company. Active users are on the HR list',
  schema: USER_SCHEMA,
  schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: true }],
}

type More = { required?: boolean; uniqueness?: 'none' | 'server'; caseExact?: boolean; canonicalValues?: string[] }
const attribute = (name: string, type: 'string' | 'boolean', description: string, more: More = {}) => ({
  name,
  type,
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

/** Supported attributes. All other attributes of these schemas are accepted but ignored. */
export const SCIM_SCHEMAS = [
  {
    schemas: [`${CORE}:Schema`],
    id: USER_SCHEMA,
    name: 'User',
    description: 'Member of the company',
    attributes: [
      attribute('userName', 'string', 'Identifier of the person in the directory of the client', {
        required: true,
        uniqueness: 'server',
      }),
      attribute('externalId', 'string', 'Id of the person assigned by the client', {
        caseExact: true,
        uniqueness: 'server',
      }),
      attribute(
        'active',
        'boolean',
        'Whether the person is on the HR list; false ends the eligibility for the company’s prices and single sign-on',
      ),
      attribute('userType', 'string', 'Employee status that the person must have', {
        canonicalValues: Object.keys(SCIM_USER_TYPES),
      }),
    ],
  },
  {
    schemas: [`${CORE}:Schema`],
    id: ENTERPRISE_SCHEMA,
    name: 'EnterpriseUser',
    description: 'Employment data of the person',
    attributes: [
      attribute('employeeNumber', 'string', 'Personnel number, as a string; leading zeros are significant', {
        required: true,
        caseExact: true,
        uniqueness: 'server',
      }),
      attribute('division', 'string', 'Id or name of the division'),
    ],
  },
]
