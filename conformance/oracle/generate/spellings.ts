/** A parameter, as it may be spelled in requests that read it. */
export interface Spelling {
  /** What is asked: a read, a list, a write or a removal; writes and removals are rehearsed. */
  readonly by: 'get' | 'list' | 'patch' | 'apply' | 'delete';
  /** What stands in the query, escaped. */
  readonly query: string;
}

/** What is a number to some readers, and none to others. */
const numbersLike = (one: number): readonly string[] => [
  ...['', '0', '00', `0${one}`, `%2B${one}`, '-0', `${one}.0`, `${one}e1`, `%20${one}`, `0x${one}`, `${one}_0`, 'x'],
];
const numbers = numbersLike(1);
/** So many that others do not end a page of ours. */
const enough = 500;
/** More than 63 bits are. */
const beyond = ['9223372036854775807', '9223372036854775808'];
const switches = ['', '0', '1', 't', 'f', 'TRUE', 'False', 'no', '%20true', 'true%00'];
/** What may end a selector, or stand in it where nothing does. */
const endings = ['%2C', '%2C%2C', '%20', '%09', '%00', '%00%2Cnone', '%3B', '%2B', ';', '%', '%C3%A4', '%5C', '%22'];
/** Of who writes. */
const names = ['a%3Bb', 'a;b', 'a%00b', 'a%7Fb', 'a%2Bb', 'a+b', '%F0%9F%98%80', '%2F', '%22', 'x'.repeat(128)];

const spelled = (by: Spelling['by'], name: string, values: readonly string[]): readonly Spelling[] =>
  values.map((value) => ({ by, query: `${name}=${value}` }));

/** Each parameter in each spelling of its sort, where it is read. */
export const spellings: readonly Spelling[] = [
  ...spelled('list', 'limit', [...numbersLike(enough), ...beyond]),
  ...spelled('list', 'timeoutSeconds', [...numbers, ...beyond]),
  ...spelled('list', 'allowWatchBookmarks', switches),
  ...endings.map((ending): Spelling => ({ by: 'list', query: `labelSelector=app%3D<own>${ending}` })),
  ...endings.map((ending): Spelling => ({ by: 'list', query: `fieldSelector=metadata.name%21%3Dx${ending}` })),
  ...spelled('get', 'resourceVersion', numbers),
  ...spelled('get', 'export', switches),
  ...spelled('apply', 'force', switches),
  ...spelled('patch', 'fieldManager', names),
  ...spelled('patch', 'fieldValidation', ['ignore', 'Warn&fieldValidation=Strict', 'Strict%20', '%00']),
  ...spelled('patch', 'dryRun', ['All%20', 'all', 'All,All', '%41ll', '%00']),
  ...spelled('delete', 'gracePeriodSeconds', numbers),
  ...spelled('delete', 'orphanDependents', switches),
  ...spelled('delete', 'resourceVersion', numbers),
  ...spelled('delete', 'propagationPolicy', ['', 'background', 'Orphan%20', 'Orphan&propagationPolicy=Background']),
  // A parameter that cannot be read, beside one that can.
  ...[
    `limit=${enough};x`,
    `x;limit=${enough}`,
    `limit=${enough}&%zz`,
    `limit%3D${enough}`,
    'limit',
    '=1',
    `&limit=${enough}&`,
  ].map((query): Spelling => ({ by: 'list', query })),
];
