import { type FieldError, forbiddenField, invalidValue, notSupported } from '../base/field-error.ts';
import { invalid } from '../base/status-error.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** As asked for; undefined when it was left to the default. */
  readonly askedFieldValidation?: FieldValidation;
  /** Only of apply. */
  readonly force: boolean;
}

export type Propagation = 'Foreground' | 'Background' | 'Orphan';

/** DeleteOptions, as sent in the body or read from the query. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: Propagation;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

const refuse = (kind: string, errors: readonly FieldError[]) => {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: kind }, '', errors);
};

/**
 * `dryRun` takes only `All`; a parameter without a value means a real request (rule `dryrun.empty`).
 */
function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  const given = values.filter((value) => value !== '');
  return given.every((value) => value === 'All') ? [] : [notSupported('dryRun', given, ['All'])];
}

const wantsDryRun = (values: readonly string[]) => values.includes('All');

interface WriteParameters {
  readonly kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';
  readonly dryRun: readonly string[];
  readonly fieldManager: string | undefined;
  readonly fieldValidation: string | undefined;
  /** Undefined when the parameter is missing. */
  readonly force?: boolean | undefined;
  readonly apply?: boolean;
  readonly managerErrors: readonly FieldError[];
}

/** @throws 422 of kind CreateOptions, UpdateOptions or PatchOptions */
export function writeOptions(parameters: WriteParameters): WriteOptions {
  const { kind, dryRun, fieldManager = '', fieldValidation = '', force, apply = false, managerErrors } = parameters;
  const errors: FieldError[] = [];
  if (force !== undefined && !apply) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  errors.push(...managerErrors);
  if (dryRun.length > 0) errors.push(...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) refuse(kind, errors);
  return {
    dryRun: dryRun.includes('All'),
    fieldManager,
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    ...(fieldValidation !== '' && { askedFieldValidation: fieldValidation as FieldValidation }),
    force: apply && force === true,
  };
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];

/** Fields of DeleteOptions whose types were already checked. @throws 422 of kind DeleteOptions */
export function deleteOptions(fields: {
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}): DeleteOptions {
  const { dryRun = [], propagationPolicy, orphanDependents, ...rest } = fields;
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil']));
  }
  if (dryRun.some((value) => value !== 'All')) errors.push(notSupported('dryRun', dryRun, ['All']));
  refuse('DeleteOptions', errors);
  return {
    ...rest,
    dryRun: wantsDryRun(dryRun),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy: propagationPolicy as Propagation }),
  };
}
