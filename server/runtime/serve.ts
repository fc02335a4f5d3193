import { createApp } from '#server/app.ts'
import { brandContents, type Contents } from '#server/branding/files.ts'
import { createFirstViews } from '#server/first-view/first-views.ts'
import { type Listening, listen } from '#server/http/listen.ts'
import { mountStaticFiles } from '#server/http/static-files.ts'
import type { ServerContext } from './context.ts'

/**
 * Creates the app and accepts requests.
 * @param dist the built app; null: API only
 */
export async function serve(context: ServerContext, dist: string | null): Promise<Listening> {
  const { config } = context
  const { app, courses } = createApp(context)
  if (dist) {
    const firstView = await createFirstViews(dist, context, courses)
    const brand = (contents: Contents) =>
      brandContents(contents, { branding: config.branding, folder: config.brandingFolder })
    const pages = { publicUrl: config.publicUrl, describe: courses.describePage, firstView, brand }
    await mountStaticFiles(app, dist, pages)
  }
  return listen(app, config.host, config.port)
}
