import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { CURRENT_CONSENT_VERSIONS, hasConsented } from '#contract/rules/consent-rules.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showError } from '#lib/toast.ts'

/**
 * Explicit consent to storing attendance in health courses, which are certified by the German certification body for
 * prevention courses (Zentrale Prüfstelle). Requested only once, with the first booking of such a course.
 */
export function useAttendanceConsent({ centralTestInstitute }: Pick<Course, 'centralTestInstitute'>) {
  // The booking button does not wait for texts that are shown only in the confirmation step.
  const { t } = useTranslation('consents', { useSuspense: false })
  const isHealth = centralTestInstitute !== ''
  const { data } = useResource('listConsents', isHealth ? {} : null)
  const [isGiven, setIsGiven] = useState(false)
  /** @returns false if the consent could not be recorded */
  const give = async (): Promise<boolean> => {
    try {
      await withProgress(
        api.giveConsent({ body: { kind: 'attendance', version: CURRENT_CONSENT_VERSIONS.attendance } }),
      )
      setIsGiven(true)
      return true
    } catch (error) {
      showError(errorMessageOf(error, t('needsNetwork')))
      return false
    }
  }
  return { isNeeded: isHealth && !isGiven && !hasConsented(data?.items ?? [], 'attendance'), give }
}
