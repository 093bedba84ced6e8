import { FieldPath } from '../../../base/field-path.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import { sameValue } from '../../same-value.ts';
import { defineKind } from '../../strategy.ts';
import { column, labelText, nameColumn } from '../../table-cells.ts';
import { defaultPodTemplate } from '../pod/defaults.ts';
import { dropGatedFields } from '../pod/gates.ts';
import type { PodTemplateSpec } from '../pod/shape.ts';
import { validatePodTemplate } from '../pod/spec.ts';
import { changedTemplateWarnings } from '../pod/warnings.ts';
import { containerCells } from './table.ts';

export interface PodTemplate extends KubeObject {
  template?: PodTemplateSpec;
}

const at = FieldPath.of('template');

export const podTemplate = defineKind<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  resource: 'podtemplates',
  loosePrefixOnUpdate: true,
  deleteAnswersObject: true,
  default(object) {
    object.template ??= {};
    defaultPodTemplate(object.template);
  },
  generationRises: (next, previous) => !sameValue(next.template, previous.template),
  prepareCreate: ({ template }, { features }) => dropGatedFields(template?.spec, features),
  prepareUpdate: ({ template }, _previous, { features }) => dropGatedFields(template?.spec, features),
  validate: ({ template }, context) => validatePodTemplate(template, context, at),
  warnings: (next, previous) => changedTemplateWarnings(next.template, previous?.template, at),
  table: {
    columns: [nameColumn, column('Containers'), column('Images'), column('Pod Labels')],
    cells: ({ metadata, template }) => [
      metadata.name,
      ...containerCells(template),
      labelText(template?.metadata?.labels),
    ],
  },
});
