import { cp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { createOpenApiDocument } from '../../server/features/system/openapi.ts'
import { VERSION } from '../../server/platform/config/config.ts'

const source = join(import.meta.dirname, '../client')

/** Writes the client package of this version into a folder, for `npm pack` or `npm publish`. */
export async function packClient(folder: string): Promise<void> {
  await cp(source, folder, { recursive: true })
  const types = await openapiTS(JSON.stringify(createOpenApiDocument('https://sport.example.com')))
  await writeFile(join(folder, 'portal.d.ts'), astToString(types))
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version: VERSION }, null, 2)}\n`)
}

const [, called, folder] = process.argv
if (called === import.meta.filename) {
  if (!folder) throw new Error('Usage: node tools/neighbours/pack-client.ts FOLDER')
  await packClient(resolve(folder))
}
