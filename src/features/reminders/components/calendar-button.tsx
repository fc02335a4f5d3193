import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { IconCalendarPlus } from '#ui/icons.ts'

/** Button that downloads all lessons of a booked course as a calendar file. */
export function CalendarButton({ courseId }: { courseId: number }) {
  const { t } = useTranslation('reminders')
  const save = async () => {
    try {
      const file = await withProgress(api.getCourseCalendar({ params: { id: courseId } }))
      saveFile(file, file.name)
    } catch (error) {
      showError(errorMessageOf(error, t('noAnswer')))
    }
  }
  return (
    <Button look="ghost" onClick={save}>
      <IconCalendarPlus size={22} />
      {t('calendar.add')}
    </Button>
  )
}
