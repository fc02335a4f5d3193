import { ensureAppBuilt } from '../server/first-view/app-build.ts'

await ensureAppBuilt({ onStart: () => console.log('Building the app …') })
