import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { ActResponse } from '#contract/office/office.ts'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { saveFile } from '#lib/save-file.ts'
import { useLanguage } from '#lib/use-language.ts'
import { newUuid } from '#lib/uuid.ts'
import { startAct } from '#office/frame/act-store.ts'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { ImpactSummary } from '#office/frame/components/impact-summary.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Card, Stack, Text } from '#ui/layout.tsx'
import { FileField } from './components/file-field.tsx'

const KINDS = ['created', 'updated', 'removed', 'unchanged'] as const
const lines = v.optional(v.array(v.string()))
/** Additional fields in the response to an import or a dry run. */
const dryRun = v.object({
  counts: v.optional(v.record(v.string(), v.record(v.picklist(KINDS), v.number()))),
  notes: lines,
  errors: lines,
})

function DryRun({ answer }: { answer: ActResponse }) {
  const { t } = useTranslation('office-content')
  const { counts, notes = [], errors } = v.parse(dryRun, answer.result)
  if (errors)
    return (
      <Card layout="stack" aria-labelledby="dry-run">
        <h2 id="dry-run">{answer.message}</h2>
        <ul>
          {errors.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Card>
    )
  return (
    <Card layout="stack" aria-labelledby="dry-run">
      <h2 id="dry-run">{t('import.would')}</h2>
      <ImpactSummary consequences={answer.consequences} />
      {counts && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('import.file')}</th>
              {KINDS.map(kind => (
                <th key={kind} scope="col">
                  {t(`import.${kind}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(counts).map(([file, row]) => (
              <tr key={file}>
                <th scope="row">{file}</th>
                {KINDS.map(kind => (
                  <td key={kind}>{row[kind]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notes.length > 0 && (
        <ul>
          {notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Imports the programme from a zip file after a dry run, or exports it as a zip file. */
export function ImportScreen() {
  const { t } = useTranslation('office-content')
  const [uploaded, setUploaded] = useState<{ fileId: string; name: string } | null>(null)
  const [answer, setAnswer] = useState<ActResponse | null>(null)
  const [said, setSaid] = useState('')
  const [isPrune, setIsPrune] = useState(false)
  const [isDraft, setIsDraft] = useState(true)

  const tryOut = async (fileId: string, name: string, { prune = isPrune, draft = isDraft } = {}) => {
    setUploaded({ fileId, name })
    setAnswer(null)
    setSaid(t('import.looking'))
    try {
      setAnswer(
        await api.performAct({
          body: { actId: newUuid(), kind: 'import-programme', fileId, prune, draft, preview: true },
        }),
      )
      setSaid('')
    } catch (error) {
      setSaid(errorMessageOf(error, t('file.failed')))
    }
  }
  const doImport = ({ fileId, name }: { fileId: string; name: string }) =>
    startAct({
      act: { kind: 'import-programme', fileId, prune: isPrune, draft: isDraft, quiet: false },
      title: t('import.title'),
      about: name,
      confirm: t('import.confirm'),
      onDone: () => {
        setUploaded(null)
        setAnswer(null)
      },
    })
  return (
    <OfficePage title={t('import.title')} lead={t('import.lead')} actions={<ExportActions onProblem={setSaid} />}>
      <Stack>
        <FileField
          label={t('import.zip')}
          accept=".zip,.xlsx,.xlsm"
          onUploaded={(fileId, { name }) => tryOut(fileId, name)}
        />
        <CheckField
          label={t('import.draft')}
          checked={isDraft}
          onChange={draft => {
            setIsDraft(draft)
            if (uploaded) tryOut(uploaded.fileId, uploaded.name, { draft })
          }}
        />
        <CheckField
          label={t('import.prune')}
          checked={isPrune}
          onChange={prune => {
            setIsPrune(prune)
            if (uploaded) tryOut(uploaded.fileId, uploaded.name, { prune })
          }}
        />
        <Text role="status" flush>
          {said}
        </Text>
        {answer && <DryRun answer={answer} />}
        {uploaded && answer?.status === 'Ok' && (
          <Text flush>
            <Button look="primary" onClick={() => doImport(uploaded)}>
              {t('import.confirm')}
            </Button>
          </Text>
        )}
      </Stack>
    </OfficePage>
  )
}

/** Buttons that export the whole programme or one season. */
function ExportActions({ onProblem }: { onProblem: (text: string) => void }) {
  const { t } = useTranslation('office-content')
  const [isExporting, setIsExporting] = useState(false)
  const language = useLanguage()
  const [season] = useUrlParam('season')
  const seasons = useCompleteList('listOfficeSeasons')

  const exportAll = async (format: 'csv' | 'xlsx') => {
    setIsExporting(true)
    onProblem('')
    try {
      const query = { format, ...(season && { seasonId: season }) }
      saveFile(await api.exportProgramme({ query }), `${t('office:nav.programme')}.zip`)
    } catch (error) {
      onProblem(errorMessageOf(error, t('file.failed')))
    } finally {
      setIsExporting(false)
    }
  }
  return (
    <>
      <FilterSelect
        label={t('import.season')}
        name="season"
        all={t('office:allSeasons')}
        options={(seasons.data ?? []).map(one => ({ value: String(one.id), label: nameInLanguage(language, one) }))}
      />
      <Button look="quiet" onClick={() => exportAll('csv')} aria-disabled={isExporting}>
        {t('import.export')}
      </Button>
      <Button look="quiet" onClick={() => exportAll('xlsx')} aria-disabled={isExporting}>
        {t('import.exportExcel')}
      </Button>
    </>
  )
}
