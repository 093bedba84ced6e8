import { slip } from '../fault.ts';

/** What tables show of kinds. */
export default [
  slip(
    'the Table of Ingresses shows all hosts',
    ['content'],
    'kinds/networking/ingress.ts',
    'if (hosts.length === shownHosts) return',
    'if (hosts.length === 300) return',
  ),
  slip(
    'the Table of slices does not tell how many more there are',
    ['content'],
    'kinds/discovery/endpoint-slice.ts',
    "const more = all.length > shown ? ` + ${all.length - shown} more...` : '';",
    "const more = all.length > shown ? '...' : '';",
  ),
  slip(
    'the Table shows what was denied as pending',
    ['content'],
    'kinds/certificates/certificate-signing-request.ts',
    "has('Denied') ? 'Denied' : has('Approved')",
    "has('Approved')",
  ),
  slip(
    'the Table does not show that a request failed',
    ['content'],
    'kinds/certificates/certificate-signing-request.ts',
    "${has('Failed') ? ',Failed' : ''}",
    '',
  ),
  slip(
    'the Table of Events does not count their series',
    ['content'],
    'kinds/events/event.ts',
    'event.series ? (event.series.count ?? 0) : event.count || 1',
    'event.count || 1',
  ),
  slip(
    'the Table of Jobs shows no Job of which one success is enough',
    ['content'],
    'kinds/batch/job-table.ts',
    '(spec.parallelism ?? 0) > 1 ?',
    '(spec.parallelism ?? 0) > 100 ?',
  ),
];
