import { ensureAppBuilt } from '../server/first-view/app-build.ts'
import { withProgress } from '../server/platform/process/progress.ts'

await withProgress(report => ensureAppBuilt({ onStart: () => report('Building the app …'), report }), process.stdout, {
  patienceMs: 0,
})
