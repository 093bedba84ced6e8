import type { KindTable } from '../kind-table.ts';
import { age, ageColumn, nameColumn } from '../table-cells.ts';
import type { WebhookConfiguration } from './webhook-shape.ts';

export const webhookTable: KindTable<WebhookConfiguration> = {
  columns: [
    nameColumn,
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'How many webhooks it has.',
    },
    ageColumn,
  ],
  cells: (configuration, now) => [
    configuration.metadata.name,
    (configuration.webhooks ?? []).length,
    age(configuration, now),
  ],
};
