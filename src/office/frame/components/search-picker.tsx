import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Surface, Text } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { IconX } from '#ui/shell-icons.ts'
import { useCompleteList } from '../list-resource.ts'
import { matchesSearch } from '../model.ts'
import classes from './search-picker.module.css'

type Props = {
  label: string
  /** label of the selected record; '' if none is selected */
  chosen: string
  onChoose: (id: number) => void
  onClear: () => void
}
type PickerProps = Props & {
  search: string
  onSearch: (text: string) => void
  options: readonly { id: number; label: string }[]
}

const SHOWN = 6
/** Debounce delay of the search while the user types, in ms. */
const TYPING_MS = 150

/** Field for finding a record: a search box with the best matches or, once one is selected, that record. */
function SearchPicker({ label, chosen, onChoose, onClear, search, onSearch, options }: PickerProps) {
  const { t } = useTranslation('office')
  if (chosen)
    return (
      <div className={classes.picker}>
        <Text as="span" size="s">
          {label}
        </Text>
        <p className={classes.chosen}>
          <b>{chosen}</b>
          <button type="button" aria-label={t('filter.remove', { name: chosen })} onClick={onClear}>
            <IconX size={18} />
          </button>
        </p>
      </div>
    )
  return (
    <div className={classes.picker}>
      <SearchBox label={label} value={search} onChange={onSearch} />
      {search !== '' && (
        <Surface as="ul" divided aria-label={label}>
          {options.slice(0, SHOWN).map(option => (
            <li key={option.id}>
              <button
                type="button"
                onClick={() => {
                  onSearch('')
                  onChoose(option.id)
                }}
              >
                {option.label}
              </button>
            </li>
          ))}
        </Surface>
      )}
    </div>
  )
}

/** Field for selecting a person by name, number or e-mail address. @param except id of a person not to offer */
export function PersonSearch({ except, ...props }: Props & { except?: number }) {
  const [search, setSearch] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(search.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [search])
  const found = useResource('listOfficePeople', asked.length > 1 ? { query: { q: asked, limit: SHOWN + 1 } } : null)
  const options = (found.data?.items ?? [])
    .filter(({ id }) => id !== except)
    .map(({ id, name, email, personnelNumber }) => ({
      id,
      label: [name, personnelNumber, email].filter(Boolean).join(', '),
    }))
  return <SearchPicker {...props} search={search} onSearch={setSearch} options={asked === '' ? [] : options} />
}

/** Field for selecting a course by number or name. */
export function CourseSearch(props: Props) {
  const language = useLanguage()
  const [search, setSearch] = useState('')
  const courses = useCompleteList('listOfficeCourses', search === '' ? null : {})
  const options = (courses.data ?? [])
    .map(course => ({ id: course.id, label: `${course.number} ${nameInLanguage(language, course)}` }))
    .filter(({ label }) => matchesSearch(search.trim(), [label]))
  return <SearchPicker {...props} search={search} onSearch={setSearch} options={options} />
}
