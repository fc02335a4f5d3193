import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listOfficeInstructors } from '#contract/office/programme.ts'
import { EMAIL_PATTERN } from '#contract/values.ts'
import { useResource } from '#lib/resource.ts'
import { type ActDraft, startAct } from '#office/frame/act-store.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { addressesOfNames, instructorName, instructorsOfNames } from '../model.ts'
import type { Instructor } from '../resource.ts'

type Name = ResponseOf<typeof listOfficeInstructors>['unknown'][number]
type Linked = ActDraft<'link-instructors'>['instructors']

type FieldsProps = {
  names: readonly Name[]
  instructors: readonly Instructor[]
  change(fields: { instructors: Linked }): void
}

/** Table of displayed names, each with the e-mail addresses of the instructors it stands for. */
function InstructorTable({ names, instructors, change }: FieldsProps) {
  const { t } = useTranslation('office-programme')
  const [addresses, setAddresses] = useState(() => addressesOfNames(names, instructors))
  const write = (name: string, text: string) => {
    const next = { ...addresses, [name]: text }
    setAddresses(next)
    change({ instructors: instructorsOfNames(next) })
  }
  return (
    <>
      <Text size="s">{t('instructors.hint')}</Text>
      <datalist id="known-instructors">
        {instructors.map(({ email, ...person }) => (
          <option key={email} value={email}>
            {instructorName(person)}
          </option>
        ))}
      </datalist>
      <CompactTable
        caption={t('instructors.lead')}
        most={names.length}
        columns={[
          { label: t('instructors.email') },
          { label: t('course.list'), isNumber: true },
          { label: t('rooms.lessons'), isNumber: true },
        ]}
        rows={names.map(({ name, courses, lessons }) => ({
          key: name,
          cells: [
            <TextField
              key="email"
              label={name}
              name={`email-${name}`}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              list="known-instructors"
              value={addresses[name] ?? ''}
              onChange={text => write(name, text)}
            />,
            courses,
            lessons,
          ],
        }))}
      />
    </>
  )
}

/**
 * Offers to assign instructors to the courses that display a name but have no instructor, as after an import. Their
 * conflicts cannot be detected, and nobody can record their attendance.
 */
export function UnregisteredInstructors({ instructors }: { instructors: readonly Instructor[] }) {
  const { t } = useTranslation('office-programme')
  const names = useResource('listOfficeInstructors', {}).data?.unknown ?? []
  if (names.length === 0) return null
  const start = () =>
    startAct<'link-instructors'>({
      act: {
        kind: 'link-instructors',
        instructors: instructorsOfNames(addressesOfNames(names, instructors)),
        quiet: false,
      },
      title: t('act.link-instructors'),
      about: t('instructors.lead'),
      isWide: true,
      missing: ({ instructors: linked = [] }) => {
        const wrong = linked.filter(({ email }) => !EMAIL_PATTERN.test(email)).map(({ email }) => email)
        return linked.length > 0 ? wrong : [t('field.email')]
      },
      form: ({ change }) => <InstructorTable names={names} instructors={instructors} change={change} />,
      details: ({ result }) => (
        <p>
          {t('instructors.linked', { count: Number(result.courses), lessons: Number(result.lessons) })}{' '}
          {Number(result.created) > 0 && t('instructors.created', { count: Number(result.created) })}
        </p>
      ),
    })
  return (
    <Button look="quiet" isPill onClick={start}>
      {t('instructors.assign', { count: names.length })}
    </Button>
  )
}
