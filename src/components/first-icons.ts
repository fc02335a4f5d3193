import {
  IconCalendarEvent,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCoinEuro,
  IconMapPin,
  IconShare2,
} from '@tabler/icons-react'

/**
 * Icons shared by the first screens, re-exported as an object so that the bundler creates no extra chunk. See
 * docs/decisions/0064.
 */
export const firstIcons = {
  IconCalendarEvent,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCoinEuro,
  IconMapPin,
  IconShare2,
}
