import { dirname, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Number of leading folders that both paths have in common. */
function countSharedFolders(first: string, second: string): number {
  const folders = dirname(second).split(sep)
  const index = dirname(first)
    .split(sep)
    .findIndex((folder, position) => folder !== folders[position])
  return index === -1 ? dirname(first).split(sep).length : index
}

/**
 * Order of `npm test -- --changed`: tests in the folder of a changed file run first, because they are the most likely to
 * fail. Almost all tests of the server import the changed file through the whole server.
 */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = this.ctx.config.related ?? []
    const nearness = ({ moduleId }: TestSpecification) =>
      Math.max(0, ...changed.map(file => countSharedFolders(moduleId, file)))
    return (await super.sort(files)).sort((a, b) => nearness(b) - nearness(a))
  }
}
