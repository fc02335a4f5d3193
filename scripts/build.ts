import { ensureAppBuilt } from '../server/app-build.ts'

await ensureAppBuilt({ onStart: () => console.log('Building the app …') })
