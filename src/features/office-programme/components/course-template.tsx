import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CourseSearch } from '#features/office/components/search-picker.tsx'
import { api } from '#lib/api.ts'
import { templateOf } from '../model.ts'

type Props = { change(fields: Record<string, unknown>): void }

/** Fills the form of a new course with the fields of another one. */
export function CourseTemplate({ change }: Props) {
  const { t } = useTranslation('office-programme')
  const [chosen, setChosen] = useState('')
  const take = async (id: number) => {
    const { columns, course } = await api.getOfficeCourse({ params: { id } })
    setChosen(`${course.number} ${course.name}`)
    change(templateOf(columns))
  }
  return <CourseSearch label={t('course.template')} chosen={chosen} onChoose={take} onClear={() => setChosen('')} />
}
