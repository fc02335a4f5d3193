import { useEffect } from 'react'
import { followColorScheme } from '#components/color-scheme.ts'
import { isInstalled } from '#lib/installed-app.ts'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { UpdatePrompt } from './update-prompt.tsx'

export function Running() {
  useEffect(followColorScheme, [])
  return (
    <>
      {isInstalled() && <PullToRefresh />}
      <UpdatePrompt />
    </>
  )
}
