import { createApp } from './app.ts'
import { brandContents, type Contents } from './branding/files.ts'
import type { ServerContext } from './context.ts'
import { createFirstViews } from './first-views.ts'
import { type Listening, listen } from './http/listen.ts'
import { interfaceHeaders } from './http/security-headers.ts'
import { mountStaticFiles } from './http/static-files.ts'

/**
 * Makes the app and takes calls.
 * @param dist the built app; null: the interface alone
 */
export async function serve(context: ServerContext, dist: string | null): Promise<Listening> {
  const { config, log } = context
  const { app, api, courses } = createApp(context)
  if (dist) {
    const firstView = await createFirstViews(dist, context, courses)
    const brand = (contents: Contents) =>
      brandContents(contents, { branding: config.branding, folder: config.brandingFolder })
    await mountStaticFiles(app, dist, { publicUrl: config.publicUrl, describe: courses.describePage, firstView, brand })
  }
  const direct = {
    calls: api.directCalls,
    headers: await interfaceHeaders(config.publicUrl.startsWith('https:')),
    log,
    isCounted: config.metricsAddress !== null,
  }
  return listen(app, config.host, config.port, {}, direct)
}
