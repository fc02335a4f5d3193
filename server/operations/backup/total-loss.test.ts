// @module-tag extended
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '#server/test/command.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
afterEach(stopPortals)

const listCourses = async (url: string) => (await (await fetch(`${url}/api/course`)).json()) as unknown[]

test('the page for a total loss leads from the folder of the backups to the same portal', {
  timeout: 300_000,
}, async () => {
  const machine = await mkdtemp(join(tmpdir(), 'portal-loss-'))
  onTestFinished(() => rm(machine, { recursive: true, force: true }))
  const [dataDir, backups, settings] = [join(machine, 'data'), join(machine, 'backups'), join(machine, 'portal.env')]
  await writeFile(settings, `DATA_DIR=${dataDir}\nDEMO=off\n`)
  const lost = await startPortal({ DATA_DIR: dataDir, DEMO: 'on' }).url()
  const courses = await listCourses(lost)
  expect(courses.length).toBeGreaterThan(10)
  await cp(join(root, 'branding'), join(dataDir, 'branding'), { recursive: true })
  const brand = join(dataDir, 'branding/branding.json')
  const shipped = JSON.parse(await readFile(brand, 'utf8'))
  await writeFile(brand, JSON.stringify({ ...shipped, portalName: 'Werkssport Nord' }))
  await mkdir(backups)
  const made = await runCommand(['backup', backups, '--keep', '14'], { DATA_DIR: dataDir, DEMO: 'off' })
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const [, key = ''] = /Signed with the key ([0-9a-f]{64})\./.exec(made.stdout) ?? []
  expect(key).not.toBe('')
  await run('sh', [join(root, 'packaging/copy-settings'), dataDir, settings, backups])
  await stopPortals()
  expect(await readdir(backups)).toEqual(
    expect.arrayContaining(['branding', 'portal.env', expect.stringMatching(/\.zip$/)]),
  )
  expect(await readdir(backups)).not.toContain('backup-key')

  // The new machine has the folder, the release and the key on paper.
  const saved = join(machine, 'saved')
  await cp(backups, saved, { recursive: true })
  await Promise.all([dataDir, settings, backups].map(path => rm(path, { recursive: true })))
  const page = await readFile(join(root, 'docs/operation/total-loss.md'), 'utf8')
  const [, commands = ''] = /```sh loss\n([^`]*)```/.exec(page) ?? []
  const username = (await run('id', ['-un'])).stdout.trim()
  const script = commands
    .replaceAll('/var/lib/portal-backups', saved)
    .replaceAll('/var/lib/portal', dataDir)
    .replaceAll('/etc/portal.env', settings)
    .replace('chown -R portal:', `chown -R ${username}:`)
    .replace('PUBLIC_KEY', key)
    .replaceAll(/^portal /gm, `sh ${root}/packaging/portal-command `)
    // The test starts the portal itself.
    .replace(/^systemctl .*$/m, '')
  expect(script).toContain(key)
  const env = { ...process.env, PORTAL_SETTINGS: settings, PORTAL_RELEASE: root }
  const { stdout } = await run('sh', ['-ec', script], { env, cwd: machine })
  expect(stdout).toContain('each row compared')
  const portal = startPortal({ DATA_DIR: dataDir, DEMO: 'off' })
  expect(await listCourses(await portal.url())).toEqual(courses)
  expect(portal.output()).toContain('Werkssport Nord')
})
