import * as pushContract from '#contract/endpoints/push.ts'
import * as contract from '#contract/endpoints/reminders.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import * as repository from './repository.ts'

/** Maximum number of follows per person. */
const MOST_FOLLOWS = 200

export function mountReminders(api: Api, context: ServerContext): void {
  const { db } = context
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
    await repository.saveReminders(db, session.id, body)
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
