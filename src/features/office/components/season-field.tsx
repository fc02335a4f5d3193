import { useTranslation } from 'react-i18next'
import { ChoiceField } from '#components/choice-field.tsx'
import { nameIn } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'

type Props = {
  label: string
  seasons: readonly { id: number; name: string; name2: string }[]
  /** '' for all seasons */
  value: string
  onChange: (value: string) => void
}

/** Select of one or all seasons. */
export function SeasonField({ label, seasons, value, onChange }: Props) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const options = seasons.map(season => ({ value: String(season.id), label: nameIn(language, season) }))
  return (
    <ChoiceField
      name="season"
      label={label}
      value={value}
      options={[{ value: '', label: t('allSeasons') }, ...options]}
      onChange={onChange}
    />
  )
}
