import { Component, type ReactNode } from 'react'
import { type WithTranslation, withTranslation } from 'react-i18next'
import { reportFault } from './report-fault.ts'

type Props = WithTranslation & { children: ReactNode }

class Boundary extends Component<Props, { error: Error | null }> {
  override state = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error) {
    reportFault(error)
  }

  override render() {
    const { children, t } = this.props
    if (!this.state.error) return children
    return (
      <main style={{ maxWidth: 560, margin: '0 auto', padding: 24 }}>
        <h1>{t('fault.title')}</h1>
        <p>{t('fault.text')}</p>
        <p>
          <a href="/">{t('fault.again')}</a>
        </p>
      </main>
    )
  }
}

/** What shows when a screen breaks: a way on, and a report to the department. */
export const ErrorBoundary = withTranslation('shell')(Boundary)
