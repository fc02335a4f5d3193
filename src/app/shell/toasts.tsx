import { Notifications } from '@mantine/notifications'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
// A dialog that somebody opens is there by then, too.
import '#components/dialog-panel.tsx'
import { Ground } from '#components/ground.tsx'
import './toasts.css'

/** Shows what lib/toast.ts says. What was said before it came waits in the library's store. */
export function Toasts() {
  return (
    <Ground>
      <Notifications position="top-center" />
    </Ground>
  )
}
