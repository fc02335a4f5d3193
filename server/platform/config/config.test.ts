import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { entriesOf } from '#contract/records.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { readConfig } from './config.ts'
import { defaultProcessCount, settingsSchema } from './settings.ts'

const refusal = (environment: Record<string, string>): StartError | null => {
  try {
    readConfig(environment)
    return null
  } catch (error) {
    return error as StartError
  }
}

test('without settings, the portal runs the demo on this machine', () => {
  const expected = {
    host: '127.0.0.1',
    port: 8080,
    processes: defaultProcessCount(),
    metricsAddress: null,
    tracing: null,
    dataDir: resolve('data'),
    hrFolder: resolve('data/hr'),
    databaseUrl: null,
    isDemo: true,
    isPasskeyRequired: false,
    isPasskeyOffByDefault: true,
    demoAccounts: 'until-import',
    publicUrl: 'http://127.0.0.1:8080',
    trustedProxies: expect.objectContaining({ rules: [] }),
    smtpUrl: null,
    mailFrom: 'Werksport <werksport@demo.example>',
    billing: expect.objectContaining({ payroll: expect.anything() }),
    branding: expect.objectContaining({ portalName: 'Werksport' }),
    brandingFolder: resolve('branding'),
    webhookNetworks: expect.objectContaining({ rules: [] }),
    outgoingProxy: null,
    embedOrigins: [],
    companyLogin: null,
    region: 'DE-NI',
    timeZone: 'Europe/Berlin',
    logLevel: 'info',
  }
  const config = readConfig({})
  // By name, because a comparison of block lists that fails cannot be printed.
  expect(Object.keys(config).sort()).toEqual(Object.keys(expected).sort())
  for (const [name, value] of entriesOf(expected)) expect([name, config[name]]).toEqual([name, value])
})

test('docs/configuration.md has a row for each setting', async () => {
  const manual = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = [...manual.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(Object.keys(settingsSchema.entries).sort())
})

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0', publicUrl: 'http://localhost:8080' }],
  ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:8080' }],
  ['HOST', 'sport.example.com', { host: 'sport.example.com' }],
  ['PROCESSES', '3', { processes: 3 }],
  ['METRICS_PORT', '9464', { metricsAddress: { host: '127.0.0.1', port: 9464 } }],
  ['METRICS_PORT', '[::1]:9464', { metricsAddress: { host: '::1', port: 9464 } }],
  ['PORT', '80', { port: 80, publicUrl: 'http://127.0.0.1:80' }],
  ['PORT', ' 8081 ', { port: 8081 }],
  ['PORT', '', { port: 8080 }],
  ['DATA_DIR', '/srv/my portal', { dataDir: resolve('/srv/my portal') }],
  ['DATA_DIR', '/srv/my portal', { hrFolder: resolve('/srv/my portal/hr') }],
  ['HR_FOLDER', '/srv/hr', { hrFolder: resolve('/srv/hr') }],
  ['DATABASE_URL', 'postgres://u:p@db:5432/sport', { databaseUrl: 'postgres://u:p@db:5432/sport', isDemo: false }],
  ['DATABASE_URL', 'postgresql://u@%2Frun%2Fpg/sport', { isDemo: false }],
  ['DATABASE_URL', 'postgresql:///sport?host=/run/pg', { isDemo: false }],
  ['DEMO', 'off', { isDemo: false, isPasskeyRequired: true }],
  ['OFFICE_PASSKEY', 'required', { isPasskeyRequired: true, isPasskeyOffByDefault: false }],
  ['OFFICE_PASSKEY', 'off', { isPasskeyRequired: false, isPasskeyOffByDefault: false }],
  // With a public URL, the portal is not a demo on this machine.
  ['PUBLIC_URL', 'https://sport.example.com/', { isPasskeyRequired: true }],
  ['DEMO', 'on', { isDemo: true, demoAccounts: 'open' }],
  ['PUBLIC_URL', 'https://sport.example.com/', { publicUrl: 'https://sport.example.com', demoAccounts: 'closed' }],
  ['SMTP_URL', 'smtps://u:p@mail.example.com', { smtpUrl: 'smtps://u:p@mail.example.com' }],
  ['MAIL_FROM', 'sport@example.com', { mailFrom: 'sport@example.com' }],
  ['MAIL_FROM', 'Sport & Gesundheit <sport@example.com>', { mailFrom: 'Sport & Gesundheit <sport@example.com>' }],
  ['REGION', 'DE-BY', { region: 'DE-BY' }],
  ['TIME_ZONE', 'Europe/Vienna', { timeZone: 'Europe/Vienna' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('%s=%s', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toMatchObject(expected)
})

test.each([
  ['HOST', 'http://localhost'],
  ['PROCESSES', '0'],
  ['PROCESSES', 'many'],
  ['HOST', '-x'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '8080.5'],
  ['PORT', '0x50'],
  ['DATABASE_URL', 'mysql://u:p@db/sport'],
  ['DATABASE_URL', 'db.example.com'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_URL', 'postgres://u:100%@db/sport'],
  ['DEMO', 'yes'],
  ['PUBLIC_URL', 'sport.example.com'],
  ['PUBLIC_URL', 'ftp://sport.example.com'],
  ['PUBLIC_URL', 'https://sport.example.com/portal'],
  ['PUBLIC_URL', 'https://sport.example.com/?a=b'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8 192.0.2.1'],
  ['TRUSTED_PROXIES', '::1/129'],
  ['TRUSTED_PROXIES', 'proxy.example.com'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,'],
  ['TRUSTED_PROXIES', '10.0.0.0/-1'],
  ['SMTP_URL', 'mail.example.com:25'],
  ['SMTP_URL', 'smtp://'],
  ['MAIL_FROM', 'Sport'],
  ['MAIL_FROM', 'Sport <sport@example.com>\r\nBcc: all@example.com'],
  ['REGION', 'NI'],
  ['REGION', 'DE-XX'],
  ['TIME_ZONE', 'Berlin'],
  ['TIME_ZONE', '+02:00'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s prevents the start with one line that names the setting', (name, value) => {
  const error = refusal({ [name]: value })
  expect(error).toBeInstanceOf(StartError)
  expect(error?.message).toMatch(new RegExp(`^Settings: ${name} must [^\\n]*$`))
})

test('all invalid settings are named together, without their values, which may be passwords', () => {
  const message = refusal({
    PORT: 'abc',
    DEMO: 'maybe',
    DATABASE_URL: 'mysql://u:Geheim1@db/x',
    SMTP_URL: 'x://Geheim2',
  })?.message
  for (const name of ['PORT', 'DEMO', 'DATABASE_URL', 'SMTP_URL']) expect(message).toContain(name)
  expect(message).not.toMatch(/Geheim|abc|maybe/)
})

test('trusted proxies are those that the operator names; by default those on this machine if PUBLIC_URL is set, otherwise none', () => {
  const trusts = (environment: Record<string, string>) => {
    const { trustedProxies } = readConfig(environment)
    const peers = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '2001:db8::1', '192.0.2.1']
    return peers.filter(peer => trustedProxies.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4'))
  }
  expect(trusts({})).toEqual([])
  expect(trusts({ PUBLIC_URL: 'https://sport.example.com' })).toEqual(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
  expect(trusts({ TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32' })).toEqual(['10.1.2.3', '2001:db8::1'])
  expect(trusts({ PUBLIC_URL: 'https://sport.example.com', TRUSTED_PROXIES: '192.0.2.1' })).toEqual(['192.0.2.1'])
})

test('a secret can be read from a file, without its trailing line break', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  try {
    const file = join(folder, 'database')
    await writeFile(file, 'postgres://u:p@db:5432/sport\n')
    await writeFile(join(folder, 'empty'), '\n')
    expect(readConfig({ DATABASE_URL_FILE: file })).toMatchObject({
      databaseUrl: 'postgres://u:p@db:5432/sport',
      isDemo: false,
    })
    await writeFile(join(folder, 'mail'), 'smtps://u:p@mail.example.com')
    expect(readConfig({ SMTP_URL_FILE: join(folder, 'mail') }).smtpUrl).toBe('smtps://u:p@mail.example.com')
    expect(refusal({ DATABASE_URL_FILE: join(folder, 'nothing') })?.message).toMatch(
      /DATABASE_URL_FILE .* cannot be read/,
    )
    expect(refusal({ SMTP_URL_FILE: join(folder, 'empty') })?.message).toMatch(/SMTP_URL_FILE .* is empty/)
    expect(refusal({ SMTP_URL_FILE: file })?.message).toMatch(/^Settings: SMTP_URL must be/)
    expect(refusal({ DATABASE_URL: 'postgres://u@db/x', DATABASE_URL_FILE: file })?.message).toMatch(/both set/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the company login requires issuer, client and a valid mapping, and reads secrets from files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oidc-'))
  const settings = { DATA_DIR: folder, OIDC_ISSUER: 'https://login.example.com/realms/firma', OIDC_CLIENT_ID: 'portal' }
  const mapping = (value: unknown) => writeFile(join(folder, 'oidc.json'), JSON.stringify(value))
  try {
    expect(refusal(settings)?.message).toMatch(/oidc\.json: cannot be read \(ENOENT\)/)
    for (const [value, complaint] of [
      [{}, /personnelNumber is missing/],
      [{ personnelNumber: 'number', rigths: {} }, /rigths is unknown/],
      [
        { personnelNumber: 'number', rights: { claim: 'groups', values: { boss: ['everything'] } } },
        /rights\.values\.boss\.0 /,
      ],
      [{ personnelNumber: 'number', employeeStatus: { claim: 'kind', values: { guest: 2 } } }, /must be one of 1, 7/],
    ] as const) {
      await mapping(value)
      expect(refusal(settings)?.message).toMatch(complaint)
    }
    await mapping({ personnelNumber: 'number' })
    await writeFile(join(folder, 'secret'), 'geheim\n')
    const secretFile = { OIDC_CLIENT_SECRET_FILE: join(folder, 'secret') }
    expect(readConfig({ ...settings, ...secretFile }).companyLogin).toMatchObject({
      issuer: settings.OIDC_ISSUER,
      clientId: 'portal',
      clientSecret: 'geheim',
      mapping: { personnelNumber: 'number', scope: 'openid profile email', isEmailTrusted: false },
    })
    expect(refusal({ ...settings, OIDC_ISSUER: 'http://login.example.com' })?.message).toMatch(/OIDC_ISSUER must be/)
    expect(refusal({ DATA_DIR: folder, OIDC_CLIENT_ID: 'portal' })?.message).toMatch(/OIDC_ISSUER is missing/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
