import { useLocation } from 'wouter'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { goBackFromOverlay } from '#lib/overlay-history.ts'

/** Whether the step before this page is one of the app's. Browsers that cannot say have been somewhere when the trail has. */
function hasCome(): boolean {
  const { navigation }: { navigation?: { canGoBack: boolean } } = window
  return navigation ? navigation.canGoBack : useBreadcrumb.getState().trail.length > 2
}

/** One step back where the reader came along; who came by a link to this page goes to where its kind is. */
export function useGoBack(): () => void {
  const [location, navigate] = useLocation()
  return () => {
    if (hasCome()) goBackFromOverlay()
    else navigate(location.startsWith('/course-details/') ? '/courses' : '/home')
  }
}
