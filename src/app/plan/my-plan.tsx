import { useSession } from '#features/session/store.ts'
import { lazySuspendingComponent } from '#ui/lazy-screen.tsx'
import { Plan } from './plan.tsx'

/** An instructor's plan includes participant lists. Other users do not load its code. */
const { screen: InstructorPlan } = lazySuspendingComponent(() =>
  import('./instructor-plan.tsx').then(m => m.InstructorPlan),
)

const toCourse = (courseId: number) => `/course-details/${courseId}`
const NOTHING: readonly never[] = []

/** Start page of logged-in users: the next two weeks and changes to lessons. See docs/decisions/0078. */
export function MyPlan() {
  const isInstructor = useSession(state => state.session?.isInstructor ?? false)
  return isInstructor ? <InstructorPlan /> : <Plan taught={NOTHING} listAddress={toCourse} />
}
