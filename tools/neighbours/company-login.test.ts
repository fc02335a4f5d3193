import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { finishCompanyLogin } from '../../contract/endpoints/company.ts'
import { CLIENT } from '../../server/test/company-provider.ts'
import { createCompanyServer } from '../../server/test/company-server.ts'
import { findFreePort } from '../../server/test/free-port.ts'

const PORTAL = 'http://127.0.0.1:4999'
const APP = 'use Lemonldap::NG::Portal::Main; Lemonldap::NG::Portal::Main->run({})'
const isThere =
  spawnSync('perl', ['-e', 'use Lemonldap::NG::Portal::Captcha::SecurityImage; use Plack::Runner']).status === 0
if (!isThere) console.log('Skipped: there is no LemonLDAP::NG')

/** Settings of a provider with its own demo accounts, in which the portal is a client. */
function writeSettings(folder: string, issuer: string): string {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const sessions = { Directory: join(folder, 'sessions'), LockDirectory: folder }
  const client = {
    ClientID: CLIENT.id,
    ClientSecret: CLIENT.secret,
    RedirectUris: `${PORTAL}/api/session/company/return`,
    IDTokenSignAlg: 'RS256',
    BypassConsent: 1,
    RequirePKCE: 1,
    UserIDAttr: 'uid',
  }
  const claims = { employee_number: 'uid', given_name: 'cn', email: 'mail', groups: 'groups;array;always' }
  return JSON.stringify({
    cfgNum: 1,
    cfgDate: 1,
    domain: '127.0.0.1',
    portal: `${issuer}/`,
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Demo',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    groups: { sport: '$uid eq "dwho"', all: '1' },
    locationRules: {},
    key: '0123456789abcdef',
    securedCookie: 0,
    requireToken: 0,
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: {
      ...sessions,
      generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
    },
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: sessions,
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceMetaDataIssuer: issuer,
    oidcServicePrivateKeySig: keys.privateKey,
    oidcServicePublicKeySig: keys.publicKey,
    oidcServiceKeyIdSig: 'key',
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcRPMetaDataOptions: {
      portal: Object.fromEntries(
        Object.entries(client).map(([name, value]) => [`oidcRPMetaDataOptions${name}`, value]),
      ),
    },
    oidcRPMetaDataExportedVars: { portal: claims },
    oidcRPMetaDataOptionsExtraClaims: { portal: { profile: 'employee_number given_name groups', email: 'email' } },
  })
}

const cookiesOf = (response: Response) => response.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')

describe.skipIf(!isThere)('LemonLDAP::NG', () => {
  let folder: string
  let issuer: string
  let provider: ChildProcess
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lemonldap-'))
    const port = await findFreePort()
    issuer = `http://127.0.0.1:${port}`
    for (const name of ['conf', 'sessions']) await mkdir(join(folder, name))
    await writeFile(join(folder, 'conf', 'lmConf-1.json'), writeSettings(folder, issuer))
    const settings = join(folder, 'lemonldap-ng.ini')
    await writeFile(
      settings,
      `[all]\nlogLevel = error\n[configuration]\ntype = File\ndirName = ${folder}/conf\n[portal]\ntemplateDir = /usr/share/lemonldap-ng/portal/templates\n`,
    )
    provider = spawn('plackup', ['--host', '127.0.0.1', '--port', String(port), '-e', APP], {
      stdio: 'ignore',
      env: { ...process.env, LLNG_DEFAULTCONFFILE: settings },
    })
    const isUp = async () => expect((await fetch(`${issuer}/.well-known/openid-configuration`)).status).toBe(200)
    await vi.waitFor(isUp, { timeout: 30_000, interval: 200 })
  })
  afterAll(async () => {
    provider.kill()
    await rm(folder, { recursive: true })
  })

  test('logs a person in, with the rights of a group', async () => {
    const server = await createCompanyServer(PORTAL, { issuer } as never, {
      personnelNumber: 'employee_number',
      isEmailTrusted: true,
      rights: { claim: 'groups', values: { sport: ['programme'] } },
    })
    const start = await server.app.request('/api/session/company/start')
    const page = await fetch(start.headers.get('Location') ?? '')
    const form = new URLSearchParams()
    for (const [, name = '', value] of (await page.text()).matchAll(
      /<input[^>]* name="([^"]+)"[^>]*? value="([^"]*)"/g,
    ))
      form.set(name, value ?? '')
    form.set('user', 'dwho')
    form.set('password', 'dwho')
    const entered = await fetch(start.headers.get('Location') ?? '', {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { Cookie: cookiesOf(page).join('; ') },
    })
    const { pathname, search } = new URL(entered.headers.get('Location') ?? '')
    const cookies = cookiesOf(start).join('; ')
    await server.app.request(pathname + search, { headers: { Cookie: cookies } })
    const { body } = await server.request(finishCompanyLogin, {
      body: {},
      language: 'en',
      headers: { Cookie: `XSRF-TOKEN=test; ${cookies}` },
    })
    expect(body).toMatchObject({
      status: 'Ok',
      givenName: 'Doctor Who',
      userName: 'dwho@badwolf.org',
      rights: ['programme'],
    })
    await server.close()
  })
})
