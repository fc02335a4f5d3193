import { useTranslation } from 'react-i18next'
import { formatMoney } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CheckLabel, Stack, Text } from '#ui/layout.tsx'
import type { InitialActDraft } from '../act-store.ts'
import { formatWallClockTime } from '../model.ts'
import { AmountField } from './amount-field.tsx'

type Props = {
  act: InitialActDraft<'cancel-booking'>
  change(fields: { charge?: Charge; amount?: number | undefined }): void
  /**
   * price of the booking and processing fee in euros; `freeUntil`: until when cancelling is free, 'YYYY-MM-DDTHH:mm'
   */
  terms: { price: number; processingFee: number; freeUntil: string | null }
}
type Charge = NonNullable<InitialActDraft<'cancel-booking'>['charge']>

/** Whether the fields of the cancellation charge are filled in: a partial charge also requires an amount. */
export const isChargeComplete = ({ charge, amount }: InitialActDraft<'cancel-booking'>): boolean =>
  charge !== 'share' || amount !== undefined

/** Fields for the cancellation charge: the options with their amounts, and the last day on which cancelling is free. */
export function CancellationChargeFields({ act, change, terms: { price, processingFee, freeUntil } }: Props) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const sums = { none: 0, processing: processingFee, share: price, full: price }
  const choices = (['none', 'processing', 'share', 'full'] as const).filter(
    charge => charge === 'none' || charge === 'full' || sums[charge] > 0,
  )
  return (
    <Stack as="fieldset" bare>
      <legend>{t('charge.legend')}</legend>
      {freeUntil !== null && (
        <Text tone="muted" flush>
          {t('charge.freeUntil', { day: formatWallClockTime(freeUntil, language) })}
        </Text>
      )}
      {choices.map(charge => (
        <CheckLabel key={charge}>
          <input
            type="radio"
            name="charge"
            checked={act.charge === charge}
            onChange={() => change({ charge, amount: undefined })}
          />
          <span>{t(`charge.${charge}`, { sum: formatMoney(sums[charge]) })}</span>
        </CheckLabel>
      ))}
      {act.charge === 'share' && (
        <AmountField
          label={t('charge.amount')}
          hint={t('charge.most', { sum: formatMoney(price) })}
          value={undefined}
          onChange={amount => change({ amount: amount !== undefined && amount < 0 ? undefined : amount })}
        />
      )}
    </Stack>
  )
}
