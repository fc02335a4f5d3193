import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import type { Follow } from '#contract/reminders.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { followThing, unfollowThing } from '../api.ts'
import { useFollows } from '../resource.ts'

/** Follows a course, a category or a season, or no longer. @param name of it, where several stand beside each other */
export function FollowButton({ kind, id, name }: Follow & { name?: string }) {
  const { t } = useTranslation('reminders')
  const isFollowed = useFollows(({ data }) => data.some(follow => follow.kind === kind && follow.id === id))
  useEffect(() => {
    if (useFollows.getState().phase === 'loading') useFollows.load()
  }, [])
  const toggle = async () => {
    try {
      const { status, message } = await withProgress((isFollowed ? unfollowThing : followThing)({ kind, id }))
      if (status !== 'Ok') return showError(message)
      useFollows.change(follows => {
        const others = follows.filter(follow => follow.kind !== kind || follow.id !== id)
        return isFollowed ? others : [...others, { kind, id }]
      })
      showSuccess(message)
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    }
  }
  const Icon = isFollowed ? IconBellFilled : IconBell
  const label = t(`follow.${kind}`)
  return (
    <Button look="ghost" aria-pressed={isFollowed} aria-label={name ? `${label}: ${name}` : undefined} onClick={toggle}>
      <Icon size={22} aria-hidden />
      {label}
    </Button>
  )
}
