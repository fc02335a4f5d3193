import { useLocation } from 'wouter'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { goBackFromOverlay } from '#lib/overlay-history.ts'

/** Whether the previous history entry belongs to the app. Browsers without the Navigation API use the breadcrumb. */
function hasCome(): boolean {
  const { navigation }: { navigation?: { canGoBack: boolean } } = window
  return navigation ? navigation.canGoBack : useBreadcrumb.getState().trail.length > 2
}

/** Navigates back within the app; a page opened by an external link goes to its parent instead. */
export function useGoBack(): () => void {
  const [location, navigate] = useLocation()
  return () => {
    if (hasCome()) goBackFromOverlay()
    else navigate(location.startsWith('/course-details/') ? '/courses' : '/home')
  }
}
