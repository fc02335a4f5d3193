import { Notifications } from '@mantine/notifications'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
// The dialog component is imported to put it into the same chunk as the toasts, because both use Mantine.
import '#ui/dialog-panel.tsx'
import { MantineRoot } from '#ui/mantine-provider.tsx'
import './toasts.css'

/** Displays the messages of lib/toast.ts, including earlier ones that the library has stored. */
export function Toasts() {
  return (
    <MantineRoot>
      <Notifications position="top-center" />
    </MantineRoot>
  )
}
