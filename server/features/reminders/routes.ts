import type { Hono } from 'hono'
import * as pushContract from '#contract/endpoints/push.ts'
import * as contract from '#contract/endpoints/reminders.ts'
import { createClientIpResolver, networkOf } from '#server/platform/http/address.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import { discardBody } from '#server/platform/http/read-body.ts'
import { REPORT_CHOICE_PATH } from '#server/platform/outbox/mail-content.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import * as repository from './repository.ts'
import { changeReminders, UNSUBSCRIBE_PATH, unsubscribeFromMails } from './service.ts'

/** Maximum number of follows per person. */
const MOST_FOLLOWS = 200

/**
 * Mounts the URL of the List-Unsubscribe header (RFC 8058). A mailbox provider sends POST for its user, without a session
 * and without following redirects. GET, which link scanners also send, only leads to the settings.
 */
function mountUnsubscribe(app: Hono, context: ServerContext): void {
  const { db, config, log } = context
  // Large providers send the requests of all their users from few networks.
  const takeTurn = createRateLimit(context, 'unsubscribe', { burst: 500, perMinute: 600 })
  const addressOf = createClientIpResolver(config.trustedProxies, log)
  const path = `${UNSUBSCRIBE_PATH}:token` as const
  app.post(path, async c => {
    await discardBody(c)
    await takeTurn(networkOf(addressOf(c)))
    if (!(await unsubscribeFromMails(db, c.req.param('token')))) throw notFound()
    return c.text('', 200, { 'Cache-Control': 'no-store' })
  })
  app.get(path, c => {
    const settings = c.req.param('token').includes('.office-report.') ? REPORT_CHOICE_PATH : '/reminders'
    const headers = { Location: config.publicUrl + settings, 'Cache-Control': 'no-store' }
    return new Response(null, { status: 302, headers })
  })
}

export function mountReminders(api: Api, app: Hono, context: ServerContext): void {
  const { db } = context
  mountUnsubscribe(app, context)
  const takeSubscription = createRateLimit(context, 'push-subscription', { burst: 20, perMinute: 5 })

  api.mount(contract.listFollows, ({ session }) => repository.listFollowedItems(db, session.id))

  api.mount(contract.followThing, async ({ body, session, language }) => {
    if ((await repository.countFollowedItems(db, session.id)) >= MOST_FOLLOWS)
      return createMessageResponse(language, 'Failed', 'reminders.tooMany', { count: MOST_FOLLOWS })
    if (!(await repository.insertFollowedItem(db, session.id, body))) throw notFound()
    return { status: 'Ok' as const, message: translate(language, `reminders.followed.${body.kind}`) }
  })

  api.mount(contract.unfollowThing, async ({ body, session, language }) => {
    await repository.deleteFollowedItem(db, session.id, body)
    return { status: 'Ok' as const, message: translate(language, 'reminders.unfollowed') }
  })

  api.mount(
    contract.getReminders,
    async ({ session }) => (await repository.findReminders(db, session.id)) ?? contract.DEFAULT_REMINDERS,
  )

  api.mount(contract.changeReminders, async ({ body, session }) => {
    if (!(await changeReminders(db, session.id, body))) throw notFound()
    return body
  })

  api.mount(pushContract.getPushKey, async () => ({ publicKey: (await repository.findPushKeys(db)).publicKey }))

  api.mount(pushContract.subscribePush, async ({ body: { endpoint, keys }, session, language }) => {
    await takeSubscription(String(session.id))
    await repository.savePushSubscription(db, session.id, { endpoint, ...keys })
    return { status: 'Ok' as const, message: translate(language, 'reminders.subscribed') }
  })

  api.mount(pushContract.unsubscribePush, async ({ body, session, language }) => {
    await repository.deletePushSubscription(db, session.id, body.endpoint)
    return { status: 'Ok' as const, message: translate(language, 'reminders.unsubscribed') }
  })
}
