import { createIcon } from '#ui/icon.tsx'

// Icons that are used only in the office UI.
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
export const IconBuilding = createIcon(
  'outline',
  'M3 21h18',
  'M5 21v-14l8 -4v18',
  'M19 21v-10l-6 -4',
  'M9 9v.01',
  'M9 12v.01',
  'M9 15v.01',
  'M9 18v.01',
)
export const IconChartBar = createIcon(
  'outline',
  'M3 13a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -6',
  'M15 9a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -10',
  'M9 5a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -14',
  'M4 20h14',
)
export const IconEuro = createIcon('outline', 'M17.2 7a6 7 0 1 0 0 10', 'M13 10h-8m0 4h8')
export const IconListCheck = createIcon(
  'outline',
  'M3.5 5.5l1.5 1.5l2.5 -2.5',
  'M3.5 11.5l1.5 1.5l2.5 -2.5',
  'M3.5 17.5l1.5 1.5l2.5 -2.5',
  'M11 6l9 0',
  'M11 12l9 0',
  'M11 18l9 0',
)
export const IconMessage = createIcon(
  'outline',
  'M8 9h8',
  'M8 13h6',
  'M18 4a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-5l-5 3v-3h-2a3 3 0 0 1 -3 -3v-8a3 3 0 0 1 3 -3h12',
)
export const IconUsers = createIcon(
  'outline',
  'M9 7m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M3 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2',
  'M16 3.13a4 4 0 0 1 0 7.75',
  'M21 21v-2a4 4 0 0 0 -3 -3.85',
)
