"""Running the service: what is swept, kept, counted, shown, copied and put back."""
