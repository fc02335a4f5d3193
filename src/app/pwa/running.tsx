import { isInstalled } from '#lib/installed.ts'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { UpdatePrompt } from './update-prompt.tsx'

export const Running = () => (
  <>
    {isInstalled() && <PullToRefresh />}
    <UpdatePrompt />
  </>
)
