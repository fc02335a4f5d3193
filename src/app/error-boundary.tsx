import { Component, type ReactNode } from 'react'
import { FaultPage } from './fault-page.tsx'
import { reportFault } from './report-fault.ts'

type State = { error: Error | null; isReported: boolean }

/** Fallback for a screen that throws: offers a way to continue and reports the error to the department. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, isReported: false }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override async componentDidCatch(error: Error) {
    this.setState({ isReported: await reportFault(error) })
  }

  override render() {
    const { error, isReported } = this.state
    return error ? <FaultPage error={error} isReported={isReported} /> : this.props.children
  }
}
