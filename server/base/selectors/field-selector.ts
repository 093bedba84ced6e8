import { badRequest } from '../status-error.ts';
import { fewRequirements } from './few-requirements.ts';

/** One condition on one field, with the escapes of its text form resolved. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Text of a field by its path; `''` when it is unset. */
export type FieldText = (field: string) => string;

/** All requirements must hold. Which fields a kind can be selected by is for the caller to check. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** Has no requirement, so it matches everything. */
  readonly isEmpty: boolean;
  matches(fieldText: FieldText): boolean;
  /** The value that the field must have, when a requirement says so (the first one counts). */
  exact(field: string): string | undefined;
}

/** Looks at each field once. */
function matchesMany(requirements: readonly FieldRequirement[]): (fieldText: FieldText) => boolean {
  const checks = [...Map.groupBy(requirements, ({ field }) => field)].map(([field, all]) => {
    const valuesOf = (wanted: string) =>
      new Set(all.filter(({ operator }) => operator === wanted).map(({ value }) => value));
    const [equal, unequal] = [valuesOf('='), valuesOf('!=')];
    const holds = (text: string) => !unequal.has(text) && (equal.size === 0 || (equal.size === 1 && equal.has(text)));
    return { field, holds };
  });
  return (fieldText) => checks.every(({ field, holds }) => holds(fieldText(field)));
}

/** Selects by requirements that are already known. */
const fieldSelectorOf = (requirements: readonly FieldRequirement[]): FieldSelector => ({
  requirements,
  isEmpty: requirements.length === 0,
  matches:
    requirements.length > fewRequirements
      ? matchesMany(requirements)
      : (fieldText) =>
          requirements.every(({ field, operator, value }) => (fieldText(field) === value) === (operator === '=')),
  exact: (field) => requirements.find((each) => each.field === field && each.operator === '=')?.value,
});

/** Matches every object. */
const everyField: FieldSelector = fieldSelectorOf([]);

/** Matches objects whose field has the value, whatever characters that has. */
export const fieldIs = (field: string, value: string): FieldSelector =>
  fieldSelectorOf([{ field, operator: '=', value }]);

/** A stretch up to the next comma that no backslash stands before. */
const termPattern = /(?:[^\\,]+|\\.|\\$)*/sy;

function* terms(text: string): Generator<string> {
  for (let position = 0; position <= text.length; position++) {
    termPattern.lastIndex = position;
    const [term = ''] = termPattern.exec(text) ?? [];
    yield term;
    position += term.length;
  }
}

const valuePattern = /\\(.?)|[,=]/gs;

function resolveEscapes(value: string): string {
  return value.replace(valuePattern, (found, escaped?: string) => {
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped;
    throw badRequest(
      escaped === undefined
        ? `invalid field selector: '${found}' in a value needs a backslash before it`
        : `invalid field selector: '${found}' is not an escape`,
    );
  });
}

function parseTerm(term: string): FieldRequirement {
  const at = term.search(/!=|=/);
  if (at < 0) throw badRequest(`invalid field selector: '${term}' has no operator`);
  const sign = /^(?:!=|==?)/.exec(term.slice(at))?.[0] ?? '';
  return {
    field: term.slice(0, at),
    operator: sign === '!=' ? '!=' : '=',
    value: resolveEscapes(term.slice(at + sign.length)),
  };
}

/**
 * Reads the text form (`metadata.name=a,status.phase!=Active`). The empty text matches everything; so does an empty
 * term, and one with neither field nor value.
 * @throws badRequest
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return everyField;
  const requirements: FieldRequirement[] = [];
  for (const term of terms(text)) {
    if (term === '') continue;
    const requirement = parseTerm(term);
    if (requirement.field !== '' || requirement.value !== '') requirements.push(requirement);
  }
  return fieldSelectorOf(requirements);
}
