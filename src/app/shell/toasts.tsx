import { Notifications } from '@mantine/notifications'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
// Also used by dialogs: bundled in the same chunk.
import '#ui/dialog-panel.tsx'
import { MantineRoot } from '#ui/mantine-provider.tsx'
import './toasts.css'

/** Displays the messages of lib/toast.ts, including earlier ones from the library's store. */
export function Toasts() {
  return (
    <MantineRoot>
      <Notifications position="top-center" />
    </MantineRoot>
  )
}
