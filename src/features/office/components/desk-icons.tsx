import { createIcon } from '#components/icon.tsx'

// Icons of the desk alone.
export const IconAlertTriangle = createIcon(
  'outline',
  'M12 9v4',
  'M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0',
  'M12 16h.01',
)
export const IconArrowDown = createIcon('outline', 'M12 5l0 14', 'M18 13l-6 6', 'M6 13l6 6')
export const IconArrowUp = createIcon('outline', 'M12 5l0 14', 'M18 11l-6 -6', 'M6 11l6 -6')
export const IconCalendar = createIcon(
  'outline',
  'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12',
  'M16 3v4',
  'M8 3v4',
  'M4 11h16',
)
