import {
  IconBuilding,
  IconCalendar,
  IconChartBar,
  IconEuro,
  IconListCheck,
  IconMessage,
  IconUsers,
} from '#office/frame/components/office-icons.tsx'
import { IconHistory, IconPhoto } from '#ui/icons.ts'

/**
 * Office sections in navigation order, each with the key that opens it after `g`. Their labels are `office:nav.<key>`.
 */
export const OFFICE_SECTIONS = [
  { key: 'today', letter: 't', Icon: IconListCheck },
  { key: 'programme', letter: 'p', Icon: IconCalendar },
  { key: 'people', letter: 'u', Icon: IconUsers },
  { key: 'money', letter: 'm', Icon: IconEuro },
  { key: 'messages', letter: 'n', Icon: IconMessage },
  { key: 'report', letter: 'b', Icon: IconChartBar },
  { key: 'content', letter: 'i', Icon: IconPhoto },
  { key: 'setup', letter: 's', Icon: IconBuilding },
  { key: 'record', letter: 'r', Icon: IconHistory },
] as const

export type OfficeSectionKey = (typeof OFFICE_SECTIONS)[number]['key']
