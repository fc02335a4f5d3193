import {
  IconCalendarEvent,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCoinEuro,
  IconMapPin,
  IconShare2,
} from '@tabler/icons-react'

/** Icons that the first screens share with others: passed on as they are, they would be one file more. See docs/decisions/0064. */
export const firstIcons = {
  IconCalendarEvent,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCoinEuro,
  IconMapPin,
  IconShare2,
}
