import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { FollowedItem } from '#contract/endpoints/reminders.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { IconBellFilled } from '#ui/icons.ts'
import { IconBell } from '#ui/shell-icons.ts'
import { useFollowSubscriptions } from '../resource.ts'

type Props = FollowedItem & {
  /** name of the followed item; required if there are several buttons */
  name?: string
  isPill?: boolean
}

/**
 * Button that follows or unfollows a course, category or season. Visitors are sent to the login page, which returns
 * here afterwards.
 */
export function FollowButton({ kind, id, name, isPill }: Props) {
  const { t } = useTranslation('reminders')
  const isFollowed = useFollowSubscriptions(({ data }) => data.some(follow => follow.kind === kind && follow.id === id))
  const isVisitor = useSession(state => state.phase === 'none')
  const [path] = useLocation()
  const search = useQueryString()
  useEffect(() => {
    if (isVisitor) return
    if (useFollowSubscriptions.getState().phase === 'loading') useFollowSubscriptions.load()
  }, [isVisitor])
  const toggle = async () => {
    try {
      const { status, message } = await withProgress(
        (isFollowed ? api.unfollowThing : api.followThing)({ body: { kind, id } }),
      )
      if (status !== 'Ok') return showError(message)
      useFollowSubscriptions.change(follows => {
        const others = follows.filter(follow => follow.kind !== kind || follow.id !== id)
        return isFollowed ? others : [...others, { kind, id }]
      })
      // The page of a course shows at once how its opening is announced.
      if (kind !== 'course') showSuccess(message)
    } catch (error) {
      showError(errorMessageOf(error, t('noAnswer')))
    }
  }
  const Icon = isFollowed ? IconBellFilled : IconBell
  const label = t(isFollowed && kind === 'course' ? 'follow.following' : `follow.${kind}`)
  if (isVisitor) {
    return (
      <ButtonLink isPill={isPill} href={`/login?next=${encodeURIComponent(search ? `${path}?${search}` : path)}`}>
        <Icon size={22} />
        {label}
      </ButtonLink>
    )
  }
  return (
    <Button
      isPill={isPill}
      aria-pressed={isFollowed}
      aria-label={name ? `${label}: ${name}` : undefined}
      onClick={toggle}
    >
      <Icon size={22} />
      {label}
    </Button>
  )
}
