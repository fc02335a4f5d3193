import { useTranslation } from 'react-i18next'
import { Dialog } from '#components/dialog.tsx'
import { Table } from '#components/layout.tsx'
import type { Place } from './desk-navigation.ts'

const KEYS = ['find', 'search', 'next', 'previous', 'open', 'edit', 'close', 'help'] as const

/** Sheet of the keyboard shortcuts. */
export function KeysDialog({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const { t } = useTranslation('office')
  const rows = [
    ...KEYS.map(key => [t(`keys.${key}.key`), t(`keys.${key}.does`)]),
    ...places.map(({ key, letter }) => [`g ${letter}`, t(`nav.${key}`)]),
  ]
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <Table>
        <tbody>
          {rows.map(([key, does]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Dialog>
  )
}
