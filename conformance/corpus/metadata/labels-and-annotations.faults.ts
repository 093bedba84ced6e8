import { slip, slips } from '../fault.ts';

const metadataRules = 'registry/steps/metadata-rules.ts';

/** What labels and annotations may be, and how they come and go. */
export default [
  slip(
    'annotations may be four times as large as they may',
    ['limits', 'meta'],
    metadataRules,
    'const maxAnnotationBytes = 262_144;',
    'const maxAnnotationBytes = 1_048_576;',
  ),
  slips(
    'labels and annotations are looked at in creates alone',
    ['meta'],
    [
      {
        file: metadataRules,
        from: 'return content.length > 0 ? [...errors, ...content] : errors;',
        to: 'return errors;',
      },
      {
        file: metadataRules,
        from: 'return [...errors, ...content, ...inManagers',
        to: 'return [...errors, ...(updating ? none : content), ...inManagers',
      },
    ],
  ),
  slip(
    'keys of annotations must be in small letters',
    ['meta'],
    metadataRules,
    'for (const problem of qualifiedName(key.toLowerCase()))',
    "for (const problem of qualifiedName(key.includes('/') ? key : key.toLowerCase()))",
  ),
  slip(
    'annotations have no limit',
    ['meta', 'limits'],
    metadataRules,
    'return bytes > maxAnnotationBytes ? [...errors, tooLong(at, maxAnnotationBytes)] : errors;',
    'return errors;',
  ),
  slip(
    'an update drops labels without a value',
    ['meta', 'verbs'],
    'registry/steps/system-fields.ts',
    '  // An object without a namespace cannot get one.\n',
    "  if (to.labels) to.labels = Object.fromEntries(Object.entries(to.labels).filter(([, value]) => value !== ''));\n",
  ),
  slip(
    'annotations stay when an update leaves them out',
    ['verbs', 'meta'],
    'registry/steps/system-fields.ts',
    '  // An object without a namespace cannot get one.\n',
    "  if (!to.annotations) carry(to, from, 'annotations');\n",
  ),
  slip(
    'the value of a label may have 64 letters',
    ['meta'],
    'base/names.ts',
    'export const labelValue = form(63,',
    'export const labelValue = form(64,',
  ),
  slip(
    'labels of what has no namespace stay when an update leaves them out',
    ['verbs', 'meta'],
    'registry/replace.ts',
    'const next = cloneJson(sent);',
    'const next = cloneJson(sent);\n  if (live && !call.resource.namespaced) next.metadata.labels ??= cloneJson(live.metadata.labels ?? {});',
  ),
  slip(
    'annotations are measured one by one',
    ['component', 'meta', 'limits', 'verbs'],
    'registry/steps/metadata-rules.ts',
    'bytes += Buffer.byteLength(key) + Buffer.byteLength(value);',
    'bytes = Math.max(bytes, Buffer.byteLength(key) + Buffer.byteLength(value));',
  ),
  slip(
    'a label or annotation whose value is empty is dropped',
    ['meta'],
    'registry/steps/system-fields.ts',
    'export function tidyMetadata(metadata: ObjectMeta, call: Call): void {\n',
    `export function tidyMetadata(metadata: ObjectMeta, call: Call): void {
  for (const map of [metadata.labels, metadata.annotations])
    for (const key of Object.keys(map ?? {})) if (map?.[key] === '') delete map[key];
`,
  ),
  slip(
    'the size of annotations is counted in letters',
    ['component'],
    'registry/steps/metadata-rules.ts',
    'bytes += Buffer.byteLength(key) + Buffer.byteLength(value);',
    'bytes += key.length + value.length;',
  ),
  slip(
    'annotations of just the size that they may have are refused',
    ['component'],
    'registry/steps/metadata-rules.ts',
    'return bytes > maxAnnotationBytes ?',
    'return bytes >= maxAnnotationBytes ?',
  ),
  slip(
    'keys of annotations do not count towards their size',
    ['component'],
    'registry/steps/metadata-rules.ts',
    'bytes += Buffer.byteLength(key) + Buffer.byteLength(value);',
    'bytes += Buffer.byteLength(value);',
  ),
  slip(
    'the domain before a key may be of any length',
    ['component'],
    'base/names.ts',
    'else if (slash > 0) for',
    'else if (slash > 0 && slash <= 253) for',
  ),
  slip(
    'metadata that comes along with a status may be anything',
    ['component', 'meta'],
    'registry/steps/validate.ts',
    'const content = contentErrors(next.metadata);',
    "const content = subresource === 'status' ? [] : contentErrors(next.metadata);",
  ),
];
