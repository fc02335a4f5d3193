import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSettlement } from '#contract/office-money.ts'
import { nameIn } from '#contract/words.ts'
import { startAct } from '#features/office/act-store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'

type Settlement = ResponseOf<typeof getSettlement>

/** Button that issues a certificate of attendance at the request of a person who has earned one, or revokes it. */
export function CertificateAction({ course, line }: { course: Settlement; line: Settlement['lines'][number] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const { webUserId, name, certificate } = line
  if (course.settlement === 0 || certificate === null) return null
  const { code } = certificate
  const about = `${name}: ${nameIn(language, course)}`
  const title = t(code === null ? 'certificate.issue' : 'certificate.revoke')
  const begin = () =>
    code === null
      ? startAct<'issue-certificates'>({
          act: { kind: 'issue-certificates', courseId: course.courseId, webUserId },
          title,
          about,
        })
      : startAct<'revoke-certificate'>({ act: { kind: 'revoke-certificate', code }, title, about })
  return (
    <Button look="text" aria-label={`${title}: ${name}`} onClick={begin}>
      {title}
    </Button>
  )
}
