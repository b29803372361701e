"""What is no JSON: pictures, films, codes and the pages of the frontend."""
