/** The buttons of other services with their texts. */
export { ProviderButtons } from '#rooms/users/web/provider-buttons.tsx';
