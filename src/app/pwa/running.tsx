import { isInstalled } from '#lib/installed.ts'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { UpdatePrompt } from './update-prompt.tsx'

/** What an app that runs needs beside its pages. */
export const Running = () => (
  <>
    {isInstalled() && <PullToRefresh />}
    <UpdatePrompt />
  </>
)
