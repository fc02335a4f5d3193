import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { formatPublicKeyFile, signFile } from '../../server/operations/upgrade/signature.ts'
import { isInstalled, run } from './programs.ts'

const folder = await mkdtemp(join(tmpdir(), 'signed-'))
afterAll(() => rm(folder, { recursive: true }))

test.skipIf(!isInstalled('minisign'))(
  'minisign verifies the signature of a release, and rejects a modified one',
  async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const [file, key] = [join(folder, 'portal.tar.gz'), join(folder, 'release.pub')]
    await writeFile(file, 'content of a release')
    await writeFile(key, formatPublicKeyFile(privateKey))
    await writeFile(`${file}.minisig`, await signFile(file, privateKey, 'portal.tar.gz sha256:00'))
    const verified = run('minisign', ['-Vm', file, '-p', key])
    expect(verified.output).toContain('Trusted comment: portal.tar.gz sha256:00')
    expect(verified.status).toBe(0)
    await writeFile(file, 'another content')
    expect(run('minisign', ['-Vm', file, '-p', key]).status).not.toBe(0)
  },
)
