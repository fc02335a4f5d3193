import { createApp } from '#server/app.ts'
import { brandContents, type Contents } from '#server/branding/files.ts'
import { createFirstViews } from '#server/first-view/first-views.ts'
import { type Listening, listen } from '#server/http/listen.ts'
import { commonHeaders } from '#server/http/security-headers.ts'
import { type FindFile, mountStaticFiles } from '#server/http/static-files.ts'
import type { ServerContext } from './context.ts'

/** Makes the app and takes calls. @param dist the built app; null: the interface alone */
export async function serve(context: ServerContext, dist: string | null): Promise<Listening> {
  const { config, log } = context
  const { app, api, courses } = createApp(context)
  let findFile: FindFile | null = null
  if (dist) {
    const firstView = await createFirstViews(dist, context, courses)
    const brand = (contents: Contents) =>
      brandContents(contents, { branding: config.branding, folder: config.brandingFolder })
    const pages = { publicUrl: config.publicUrl, describe: courses.describePage, firstView, brand }
    findFile = await mountStaticFiles(app, dist, pages)
  }
  const isSecure = config.publicUrl.startsWith('https:')
  const direct = {
    calls: api.directCalls,
    reads: api.directReads,
    findFile,
    headersAt: await commonHeaders(isSecure),
    isSecure,
    log,
    isCounted: config.metricsAddress !== null,
  }
  return listen(app, config.host, config.port, {}, direct)
}
