import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemOf } from '#contract/endpoint.ts'
import type { listOfficeProofs } from '#contract/office/money.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { startAct } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { formatDay } from '#office/people/people-model.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import classes from './money.module.css'
import { decideProof } from './money-acts.tsx'
import { MoneySection } from './money-section.tsx'

type Proof = ItemOf<typeof listOfficeProofs>

/** Sick notes and shift certificates that are awaiting a decision, with their files. */
export function ProofsSection({ count }: { count: number }) {
  const { t } = useTranslation('office-money')
  const proofs = useCompleteList('listOfficeProofs', count > 0 ? { state: 'open' } : null)
  const [shown, setShown] = useState<Proof | null>(null)
  if (count === 0 || proofs.data?.length === 0) return null
  const spanOf = ({ from, to }: Proof) => `${formatDay(from)} – ${formatDay(to)}`
  const labelOf = (act: string, { name }: Proof) => `${act}: ${name}`
  return (
    <MoneySection title={t('proof.title', { count })}>
      {proofs.data === null ? (
        <Skeleton rows={2} height={36} />
      ) : (
        <CompactTable
          caption={t('proof.title', { count })}
          columns={[
            { label: t('field.person') },
            { label: t('proof.what'), isWideOnly: true },
            { label: t('proof.span'), isWideOnly: true },
            { label: t('proof.workingDays'), isNumber: true, isWideOnly: true },
          ]}
          rows={proofs.data.map(proof => ({
            key: proof.id,
            cells: [
              <span key="name">
                <RecordLink kind="people" id={proof.webUserId}>
                  {proof.name}
                </RecordLink>
                <span className={classes.narrow}>
                  {t(`proof.kind.${proof.kind}`)}, {spanOf(proof)}
                </span>
              </span>,
              t(`proof.kind.${proof.kind}`),
              spanOf(proof),
              proof.workingDays,
            ],
            actions: (
              <>
                {proof.hasFile && (
                  <Button look="text" aria-label={labelOf(t('proof.view'), proof)} onClick={() => setShown(proof)}>
                    {t('proof.view')}
                  </Button>
                )}
                {(['accepted', 'refused'] as const).map(decision => (
                  <ActButton
                    key={decision}
                    aria-label={labelOf(t(`proof.${decision}`), proof)}
                    begin={() => decideProof(proof, decision)}
                  />
                ))}
              </>
            ),
          }))}
        />
      )}
      {shown && (
        <ProofFile
          proof={shown}
          onClose={() => setShown(null)}
          onDecide={decision => {
            setShown(null)
            startAct(decideProof(shown, decision))
          }}
        />
      )}
    </MoneySection>
  )
}

type FileProps = { proof: Proof; onClose: () => void; onDecide: (decision: 'accepted' | 'refused') => void }

/** Dialog that displays a picture of a sick note or shift certificate, or links to the file in another format. */
function ProofFile({ proof: { id, name, kind, from, to, workingDays }, onClose, onDecide }: FileProps) {
  const { t } = useTranslation(['office-money', 'office'])
  const [file, setFile] = useState<{ url: string; name: string; type: string } | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let url = ''
    api.getProofFile({ params: { id } }).then(
      content => {
        url = URL.createObjectURL(content)
        setFile({ url, name: content.name, type: content.type })
      },
      error => setProblem(errorMessageOf(error, t('office:noAnswer'))),
    )
    return () => URL.revokeObjectURL(url)
  }, [id, t])
  const title = `${t(`proof.kind.${kind}`)}: ${name}`
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={() => onDecide('refused')}>
            {t('proof.refused')}
          </Button>
          <Button look="primary" isWide onClick={() => onDecide('accepted')}>
            {t('proof.accepted')}
          </Button>
        </>
      }
    >
      <Stack>
        <Text variant="name" flush>
          {formatDay(from)} – {formatDay(to)} · {t('proof.days', { count: workingDays })}
        </Text>
        {problem && <p role="alert">{problem}</p>}
        {!problem && file === null && <Skeleton rows={1} height={240} />}
        {file && /^image\/(?:jpeg|png)$/.test(file.type) && (
          <img className={classes.picture} src={file.url} alt={t('proof.picture', { name: file.name })} />
        )}
        {file && (
          <Text flush>
            <ButtonLink
              look="plain"
              isOutside
              href={file.url}
              {...(/heic|heif/.test(file.type) ? { download: file.name } : { target: '_blank', rel: 'noreferrer' })}
            >
              {t('proof.open', { name: file.name })}
            </ButtonLink>
          </Text>
        )}
      </Stack>
    </Dialog>
  )
}
