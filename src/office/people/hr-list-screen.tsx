import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { useDivisions } from '#features/accounts/resource.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { startAct } from '#office/frame/act-store.ts'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { Button } from '#ui/button.tsx'
import { Card, Text } from '#ui/layout.tsx'
import { diffHrLists, type ParsedHrList, parseHrList } from './hr-list-model.ts'

const SHOWN = 20

/** HR list: the personnel numbers of people entitled to company prices. Uploading a file replaces the whole list. */
export function HrListScreen() {
  const { t } = useTranslation(['office-people', 'accounts', 'office'])
  const reading = useCompleteList('listEligible')
  const divisions = useDivisions(state => state.data)
  useEffect(() => void useDivisions.load(), [])
  const [file, setFile] = useState<CheckedFile | null>(null)
  const statusNames = Object.fromEntries(
    Object.values(EMPLOYEE_STATUS).map(status => [t(`accounts:employeeStatus.${status}`).toLowerCase(), status]),
  )
  const read = async (picked: File | undefined) => {
    if (!picked) return
    try {
      const { rows, ...table } = await withProgress(api.readOfficeTable({ file: picked }))
      setFile({ name: picked.name, list: parseHrList(rows, divisions, statusNames), ...table })
    } catch (error) {
      setFile(null)
      showError(errorMessageOf(error, t('office:noAnswer'), t('office:fileTooLarge')))
    }
  }
  return (
    <OfficePage title={t('hrList.title')} lead={t('hrList.lead')}>
      <Card as="label" layout="stack">
        <b>{t('hrList.choose')}</b>
        <input
          type="file"
          accept=".csv,.txt,.xlsx,.xlsm"
          onChange={event => {
            void read(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        <Text as="small" tone="muted">
          {t('hrList.columns')}
        </Text>
      </Card>
      <div aria-live="polite">
        {file && <Checked file={file} before={reading.data} onSaved={() => setFile(null)} />}
      </div>
      <ReadTable
        caption={t('hrList.title')}
        columns={[
          {
            key: 'number',
            label: t('field.personnelNumber'),
            value: ({ personnelNumber }) => personnelNumber,
            isName: true,
          },
          {
            key: 'division',
            label: t('field.division'),
            value: ({ divisionId }) => divisions.find(({ id }) => id === divisionId)?.name ?? '',
            isWideOnly: true,
          },
          {
            key: 'status',
            label: t('field.status'),
            value: ({ employeeStatus }) => (employeeStatus ? t(`accounts:employeeStatus.${employeeStatus}`) : ''),
          },
          {
            key: 'account',
            label: t('field.account'),
            value: ({ webUserId }) => t(webUserId === null ? 'hrList.noAccount' : 'hrList.account'),
            show: ({ webUserId }) =>
              webUserId === null ? (
                t('hrList.noAccount')
              ) : (
                <RecordLink kind="people" id={webUserId}>
                  {t('hrList.account')}
                </RecordLink>
              ),
          },
        ]}
        reading={reading}
        idOf={({ personnelNumber }) => personnelNumber}
        empty={t('hrList.none')}
      />
    </OfficePage>
  )
}

type CheckedFile = { name: string; list: ParsedHrList | null; hiddenRows?: number[] | undefined; otherSheets: string[] }
type CheckedProps = {
  file: CheckedFile
  before: readonly { personnelNumber: string }[] | null
  onSaved: () => void
}

function Checked({ file: { name, list, hiddenRows = [], otherSheets }, before, onSaved }: CheckedProps) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const known = Object.values(EMPLOYEE_STATUS)
    .map(status => t(`accounts:employeeStatus.${status}`))
    .join(', ')
  if (list === null)
    return (
      <Card as="p" status="error" flush>
        {t('hrList.unreadable', { name })}
      </Card>
    )
  const { rows, problems, unread, total } = list
  const { added, gone, kept, withoutZeros } = diffHrLists(before ?? [], rows)
  const counts = t('hrList.counts', { count: rows.length, added: added.length, gone: gone.length, kept })
  const say = (numbers: readonly (string | number)[]) =>
    numbers.slice(0, SHOWN).join(', ') + (numbers.length > SHOWN ? ' …' : '')
  return (
    <Card flush layout="stack" aria-labelledby="checked">
      <h2 id="checked">{t('hrList.checked', { name })}</h2>
      <p>{counts}</p>
      {added.length > 0 && (
        <Text tone="muted" flush>
          {t('hrList.added', { numbers: say(added) })}
        </Text>
      )}
      {gone.length > 0 && (
        <Text tone="muted" flush>
          {t('hrList.gone', { numbers: say(gone) })}
        </Text>
      )}
      {withoutZeros.length > 0 && <Text flush>{t('hrList.withoutZeros', { numbers: say(withoutZeros) })}</Text>}
      {unread.length > 0 && <Text flush>{t('hrList.unread', { names: say(unread) })}</Text>}
      {otherSheets.length > 0 && <Text flush>{t('hrList.otherSheets', { names: say(otherSheets) })}</Text>}
      {hiddenRows.length > 0 && (
        <Text flush>{t('hrList.hiddenRows', { count: hiddenRows.length, lines: say(hiddenRows) })}</Text>
      )}
      {total && <Text flush>{t('hrList.total', total)}</Text>}
      {problems.length > 0 && (
        <Card as="div" status="error" flush>
          <p>{t('hrList.problems', { count: new Set(problems.map(({ line }) => line)).size })}</p>
          <ul>
            {problems.slice(0, SHOWN).map(({ line, key, value, divisions = [] }) => (
              <li key={`${line} ${key}`}>
                {t(`hrList.problem.${key}`, { line, value, known, divisions: divisions.join(', ') })}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Button
        look="primary"
        disabled={problems.length > 0 || rows.length === 0}
        onClick={() =>
          startAct<'save-eligible'>({
            act: { kind: 'save-eligible', rows },
            title: t('hrList.save'),
            about: counts,
            onDone: onSaved,
          })
        }
      >
        {t('hrList.save')}
      </Button>
    </Card>
  )
}
