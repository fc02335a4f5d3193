import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { afterAll, describe, expect, test } from 'vitest'
import { isInstalled, run } from './programs.ts'
import { rules, rulesFile } from './prometheus.ts'

const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
afterAll(() => rm(folder, { recursive: true }))

test('every alert has only fields that Prometheus defines', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const rule of rules) {
    expect(Object.keys(rule).filter(key => key !== 'for')).toEqual(['alert', 'expr', 'annotations'])
    expect(Object.keys(rule.annotations), rule.alert).toEqual(['summary'])
    expect(rule.annotations.summary).not.toBe('')
    // Prometheus calls every fall of a gauge a restart of its counter.
    expect(rule.expr).not.toMatch(/\b(?:rate|increase)\((?!\w+_(?:total|count|bucket)\b)/)
    // Its own label: of ours it would be exported_job.
    expect(rule.expr.replace('up{job="portal"}', '')).not.toContain('job=')
  }
})

/** Series that fire each alert, and series of a healthy portal that do not; samples are a minute apart, `now` is the clock. */
type Case = { at: string; bad: Record<string, string>; good: Record<string, string>; labels?: Record<string, string> }
const CASES: Record<string, Case> = {
  PortalGone: {
    at: '5m',
    bad: { 'up{job="portal"}': '0x10' },
    good: { 'up{job="portal"}': '1x10' },
    labels: { job: 'portal' },
  },
  PortalDatabaseGone: { at: '5m', bad: { portal_database_up: '0x10' }, good: { portal_database_up: '1x10' } },
  PortalFaults: {
    at: '20m',
    bad: { 'portal_request_duration_seconds_count{status="503"}': '0+60x30' },
    good: { 'portal_request_duration_seconds_count{status="200"}': '0+6000x30' },
  },
  PortalSlow: {
    at: '20m',
    bad: {
      'portal_request_duration_seconds_bucket{le="1"}': '0+0x30',
      'portal_request_duration_seconds_bucket{le="5"}': '0+60x30',
      'portal_request_duration_seconds_bucket{le="+Inf"}': '0+60x30',
    },
    good: {
      'portal_request_duration_seconds_bucket{le="1"}': '0+60x30',
      'portal_request_duration_seconds_bucket{le="+Inf"}': '0+60x30',
    },
  },
  PortalMailsWait: {
    at: '10m',
    bad: { portal_mails_oldest_seconds: '1000x20' },
    good: { portal_mails_oldest_seconds: '5x20' },
  },
  PortalMailsGivenUp: {
    at: '70m',
    bad: { portal_mails_given_up: '0x30 2x60' },
    good: { portal_mails_given_up: '5x30 2x60' },
  },
  PortalDirectoryRemovalsRefused: {
    at: '70m',
    bad: { 'portal_security_events_total{event="directory.removals-refused"}': '0x30 1x60' },
    good: { 'portal_security_events_total{event="login.failed"}': '0+5x90' },
    labels: { event: 'directory.removals-refused' },
  },
  PortalOutgoingHeld: { at: '70m', bad: { portal_outgoing_held: '1x90' }, good: { portal_outgoing_held: '0x90' } },
  PortalTaskFails: {
    at: '30m',
    bad: { 'portal_job_last_success_timestamp_seconds{task="reminders"}': '0x60' },
    good: { 'portal_job_last_success_timestamp_seconds{task="reminders"}': 'nowx60' },
    labels: { task: 'reminders' },
  },
  PortalCertificatesFail: {
    at: '90m',
    bad: { 'portal_job_last_success_timestamp_seconds{task="certificates"}': '0x200' },
    good: { 'portal_job_last_success_timestamp_seconds{task="certificates"}': 'nowx200' },
    labels: { task: 'certificates' },
  },
  PortalRetentionFails: {
    at: '150m',
    bad: { 'portal_job_last_success_timestamp_seconds{task="retention"}': '0x200' },
    good: { 'portal_job_last_success_timestamp_seconds{task="retention"}': 'nowx200' },
    labels: { task: 'retention' },
  },
  PortalClosingFails: {
    at: '150m',
    bad: { 'portal_job_last_success_timestamp_seconds{task="closing"}': '0x200' },
    good: { 'portal_job_last_success_timestamp_seconds{task="closing"}': 'nowx200' },
    labels: { task: 'closing' },
  },
  PortalBackupMissing: {
    at: '28h',
    bad: { portal_backup_last_success_timestamp_seconds: '0x1800' },
    good: { portal_backup_last_success_timestamp_seconds: 'nowx1800' },
  },
  PortalAuditAnchorStale: {
    at: '5m',
    bad: { portal_audit_anchor_current: '0x10' },
    good: { portal_audit_anchor_current: '1x10' },
  },
  PortalTransactionHangs: {
    at: '10m',
    bad: { portal_database_longest_transaction_seconds: '400x20' },
    good: { portal_database_longest_transaction_seconds: '2x20' },
  },
  PortalEventLoopLate: {
    at: '10m',
    bad: { nodejs_eventloop_lag_max_seconds: '2x20' },
    good: { nodejs_eventloop_lag_max_seconds: '0.01x20' },
  },
  PortalOneMachineOnly: {
    at: '15m',
    bad: { portal_database_standbys: '1x5 0x20' },
    good: { portal_database_standbys: '1x20' },
  },
  PortalProcessesHang: {
    at: '5m',
    bad: { portal_processes_alive: '1x10', portal_processes_wanted: '2x10' },
    good: { portal_processes_alive: '2x10', portal_processes_wanted: '2x10' },
  },
  PortalDiskFull: {
    at: '5m',
    bad: { portal_data_dir_free_bytes: '50000000x10' },
    good: { portal_data_dir_free_bytes: '50000000000x10' },
  },
  PortalDiskFills: {
    at: '8h',
    bad: { portal_data_dir_free_bytes: '50000000000-80000000x600' },
    good: { portal_data_dir_free_bytes: '50000000000x600' },
  },
  PortalDescriptors: {
    at: '10m',
    bad: { portal_open_fds_ratio: '0.9x20' },
    good: { portal_open_fds_ratio: '0.09x20' },
  },
}

/** Number of samples in the notation of promtool. */
const lengthOf = (values: string) =>
  [...values.matchAll(/x(\d+)/g)].reduce((sum, [, count]) => sum + Number(count) + 1, 0)
const clockFrom = (values: string, minute: number) => values.replace('now', `${minute * 60}+60`)

/** The bad series, then the good ones. */
function recover({ bad, good }: Case): { series: Record<string, string>; minutes: number } {
  const faulty = Math.max(...Object.values(bad).map(lengthOf))
  const names = [...new Set([...Object.keys(bad), ...Object.keys(good)])]
  const join = (name: string) =>
    `${bad[name] ?? `_x${faulty}`} ${good[name] ? clockFrom(good[name], faulty) : ''}`.trim()
  const series = Object.fromEntries(names.map(name => [name, join(name)]))
  return { series, minutes: faulty + Math.max(...Object.values(good).map(lengthOf)) - 1 }
}

describe.skipIf(!isInstalled('promtool'))('promtool', () => {
  test('accepts the rules file', () => {
    const { status, output } = run('promtool', ['check', 'rules', rulesFile])
    expect(output).toContain(`${rules.length} rules found`)
    expect(status).toBe(0)
  })

  test.each(rules)(
    'fires $alert for its fault, clears it afterwards, and never fires it for a healthy portal',
    async rule => {
      const { alert, annotations } = rule
      const given = CASES[alert] ?? { at: '', bad: {}, good: {} }
      const { at, bad, good, labels = {} } = given
      const recovered = recover(given)
      const summary = annotations.summary?.replace('{{ $labels.task }}', labels.task ?? '')
      const fired = [{ exp_labels: labels, exp_annotations: { summary } }]
      const testOf = (series: Record<string, string>, expected: Record<string, object[]>) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values: clockFrom(values, 0) })),
        alert_rule_test: Object.entries(expected).map(([eval_time, exp_alerts]) => ({
          eval_time,
          alertname: alert,
          exp_alerts,
        })),
      })
      const tests = [
        testOf(recovered.series, { [at]: fired, [`${recovered.minutes}m`]: [] }),
        testOf(bad, { [at]: fired }),
        testOf(good, { [at]: [] }),
      ]
      const [path, ruleFile] = [join(folder, `${alert}.yml`), join(folder, `rule-${alert}.yml`)]
      // All rules would be evaluated each minute of two days.
      await writeFile(ruleFile, dump({ groups: [{ name: 'portal', rules: [rule] }] }))
      await writeFile(path, dump({ rule_files: [ruleFile], evaluation_interval: '1m', tests }))
      const { status, output } = run('promtool', ['test', 'rules', path])
      expect(status, output).toBe(0)
    },
  )
})
